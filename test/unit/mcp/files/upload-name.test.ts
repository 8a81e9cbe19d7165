import { expect, test } from 'vitest';
import { checkUploadName } from '../../../../mcp/files/upload-name.ts';
import { checkWebhookUrl } from '../../../../mcp/tools/webhook-url.ts';

const isAllowed = (name: string, isAnyKindAllowed: boolean) => {
  try {
    checkUploadName(`/home/ann/${name}`, { isAnyKindAllowed });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'path_not_allowed' });
    return false;
  }
};

test.each([
  'Deck.pdf',
  'password-policy.pdf',
  'Token sale.pptx',
  'notes.txt',
  'logo.svg',
  'Budget 2027.xlsx',
  'a.DOCX',
])('%s is uploaded from any allowed folder', (name) => {
  expect([isAllowed(name, false), isAllowed(name, true)]).toEqual([true, true]);
});

test.each(['archive.zip', 'script.sh', 'data.json', 'model.bin', 'README'])(
  '%s is uploaded only from a folder that the user named',
  (name) => {
    expect([isAllowed(name, false), isAllowed(name, true)]).toEqual([false, true]);
  },
);

test.each([
  'id_rsa',
  'id_ed25519.pub',
  'terraform.tfstate',
  'secrets.yaml',
  'prod.env',
  'env.production.json',
  'service-account.json',
  'dump.sql',
  'wallet.dat',
  'cookies.sqlite',
  'passwords.txt',
  'credentials.csv',
  'api_keys.xlsx',
  'server.pem',
  'Keystore.JKS',
])('%s is never uploaded', (name) => {
  expect([isAllowed(name, false), isAllowed(name, true)]).toEqual([false, false]);
});

test.each([
  ['https://hooks.example.com/in', 'https://api.example.com/api/v1', true],
  ['https://hooks.example.com', 'https://api.example.com/api/v1', true],
  ['http://127.0.0.1:9000/in', 'http://127.0.0.1:8080/api/v1', true],
  ['http://127.0.0.1:9000/in', 'https://api.example.com/api/v1', false],
  ['http://10.0.0.4/in', 'https://api.example.com/api/v1', false],
  ['http://[::1]/in', 'https://api.example.com/api/v1', false],
  ['http://0x7f.1/in', 'https://api.example.com/api/v1', false],
])('the webhook address %s for a service at %s: %s', (url, baseUrl, isValid) => {
  const check = () => checkWebhookUrl(url, { baseUrl });
  if (isValid) expect(check).not.toThrow();
  else expect(check).toThrow(/^url: must/);
});
