import type { Approvals } from './approvals.ts';
import type { ConfirmableCall, ConfirmationResult } from './confirmable-call.ts';
import { getPreviewFields } from './preview.ts';

/**
 * Confirms by a one-time token in the result, for unattended jobs. The caller can approve, also a model:
 * used only if the operator has chosen it.
 */
export function createTokenChannel(approvals: Approvals) {
  return async (call: ConfirmableCall): Promise<ConfirmationResult> => {
    if (call.token !== undefined) {
      const { confirmationNonce } = await approvals.redeemToken('preview', call, call.token);
      return approvals.approve(call, 'token', confirmationNonce);
    }
    const description = await call.describe();
    return {
      approved: false,
      result: {
        data: {
          done: false,
          outcome: 'pending',
          ...getPreviewFields(description, call.binding.args),
          confirm_token: await approvals.mintToken('preview', call, description),
          next: 'Nothing has been done yet. Show this preview to the user. If they approve, call again with the same arguments and this confirm_token (once, within 10 minutes).',
        },
        unredactedFields: ['confirm_token'],
        trustedFields: ['outcome', 'next', 'confirm_token'],
      },
    };
  };
}
