import { agreement } from './agreement.ts';
import { contact } from './contact.ts';
import { document } from './document.ts';
import { link } from './link.ts';
import { proposal } from './proposal.ts';
import { room } from './room.ts';
import { template } from './template.ts';

export const records = { document, link, room, agreement, proposal, template, contact };
