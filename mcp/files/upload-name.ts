import { extname } from 'node:path';
import { splitWords } from '../../src/split-words.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Names that can be uploaded. `documents`: kinds of documents; `files`: also data, pages, archives and designs; `any`: every
 * name. Only `any` accepts names that look like secrets.
 */
export type UploadPolicy = 'documents' | 'files' | 'any';

/** Finished pages. A secret word in their names is usually their topic: "Password policy.pdf". */
const PROSE = splitWords('.pdf .doc .docx .odt .rtf .ppt .pptx .odp .png .jpg .jpeg .gif .webp .tif .tiff .heic .bmp');

const DOCUMENTS = [
  ...PROSE,
  ...splitWords('.xls .xlsx .xlsm .ods .csv .tsv .txt .md .pages .numbers .epub .mp4 .mov .webm .p7m .p7s .asice'),
];

/** Kinds that a folder named with `--files` adds. */
const OTHER_FILES = splitWords(
  `.html .htm .xml .json .yaml .yml .svg .tex .bib .log .zip .eml .msg .ics .vcf .mp3 .m4a .wav .avi .mkv
  .ai .eps .psd .indd .sketch .fig .dwg .dxf .step .stl .vsd .vsdx .mpp .one .ipynb .parquet .geojson .gpx .kml`,
);

/** Parts after a dot that only keys, states, dumps and settings have; also before another ending: `prod.env.txt`. */
const SECRET_ENDINGS = splitWords(
  `pem key p8 p12 pfx jks keystore kdb kdbx ppk asc gpg pgp age ovpn env envrc tfstate tfvars sql sqlite sqlite3 db dump
  dmp bak backup wallet secret secrets token credentials htpasswd netrc npmrc pypirc kubeconfig rdp keychain agilekeychain
  1pif opvault`,
);

/** Words that name a secret in every kind of file. */
const SECRET_PHRASES = `(?:${[
  'id (?:rsa|dsa|ecdsa|ed25519)|(?:known|authorized) (?:hosts|keys)|ssh (?:host )?keys?|(?:bash|zsh|shell) history',
  'connection strings?|database urls?|my cnf|google authenticator|metamask seed|(?:vpn|wg\\d) conf(?:ig)?',
  '(?:private|api|access|secret|signing|encryption|master|license|recovery) ?keys?|wiederherstellungsschlüssel',
  'service ?(?:accounts?|info)|client ?secrets?|admin ?sdk|application default credentials|login data|mots? de passe',
  '(?:last|kee|nord) ?pass|1 ?password emergency kit(?: a\\d.*)?',
  '(?:recovery|backup|emergency|2fa|mfa|otp) codes?|(?:seed|recovery) (?:phrase|words)|mnemonic',
  'tfstate|terraform state|kube ?config|(?:docker|wp) config|local settings|htpasswd|dot ?env|env (?:vars?|variables)',
  'application (?:prod|dev|local|test)\\w*|utc \\d{4}',
].join('|')})`;
const SECRET_PHRASE = new RegExp(`\\b${SECRET_PHRASES}\\b`);
/** Such a phrase as a whole title, after at most one other word. */
const SECRET_TITLE = new RegExp(`^(?:\\S+ )?${SECRET_PHRASES}$`);

/** Settings of a program, which often contain its keys. In a document, such a word is its topic. */
const SETTINGS_FILE = /\b(?:configs?|configuration|settings|compose)\b.*\.(?:json|ya?ml|xml)$/;

/** Words that mean a secret alone, or in a file of data: `secrets.yaml`, `team passwords.xlsx`. */
const SECRET_WORD = new RegExp(
  `^(?:${[
    'secrets?|credentials?|creds|passwords?|passwd|passphrases?|pwd|logins|auth|jwt|pgpass|env|dotenv',
    'mysqldump|pgdump|netrc|npmrc|pypirc|ovpn|secring|jks|gpg|totp|bearer|pwds?|pw',
    'keyfile|keyring|keychain|keystore|wallets?|cookies?|dumps?|1password|bitwarden|appsettings',
    '(?:passw|kennw)(?:o|ö)rt(?:er)?(?:listen?)?|(?:zugangs|login)daten|contrase[nñ]as?|senhas?|parole?s? chiave|密码|口令|пароли?',
  ].join('|')})$`,
);

/** Titles of lists of secrets: "root passwords", but not "password policy". */
const ENDS_SECRET = /\b(?:passwords?|credentials|(?:stripe|aws|openai|github|ssh|server) (?:keys?|tokens?))$/;

/** Words at the end of a copy, version or list: `passwords - Copy.docx`. */
const ADDED_WORDS = /(?: (?:lists?|liste|copy|kopie|copie|old|new|final|latest|updated|v\d+))+$/;

/** Whole names, without endings, that only secrets, settings and copies of data have. */
const SECRET_STEM = /^(?:keys?|ssh|vault|oauth2?|environment|db|database|backups?|[\w-]+-\d{6,}-[\da-f]{12}|utc--.*)$/;

/** Folders whose files are secrets, whatever their names. */
const SECRET_FOLDER =
  /^(?:secrets?|credentials?|creds|passwords?|keys|certs?|private[ _-]?keys?|ssh|gnupg|gpg|aws|kube|keychains?|keystores?|keyrings?|vault|wallets?)$/;

/** Returns whether the name of a file looks like a key, credential, state, dump or environment file. */
function looksLikeSecretFile(name: string): boolean {
  // Compatibility forms and invisible characters don't hide a name.
  const plain = name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim();
  const [stem = '', ...endings] = plain.toLowerCase().split('.');
  if (endings.some((ending) => SECRET_ENDINGS.includes(ending.trim()))) return true;
  if (SECRET_WORD.test(stem) || SECRET_STEM.test(stem)) return true;
  const text = toNameWords(plain.slice(0, plain.length - extname(plain).length))
    .join(' ')
    .replace(ADDED_WORDS, '');
  const words = text.split(' ');
  // A finished page about such things is a document: "API key policy.pdf".
  if (PROSE.includes(extname(plain).toLowerCase())) {
    const hasOnlySecretWords = words.every((word) => SECRET_WORD.test(word));
    return SECRET_TITLE.test(text) || ENDS_SECRET.test(text) || hasOnlySecretWords;
  }
  return (
    SECRET_PHRASE.test(text) ||
    SETTINGS_FILE.test(`${text}${extname(plain).toLowerCase()}`) ||
    /^(?:(?:root|api)?keys?|tokens?|logins?|pins?|pat)$/.test(words.at(-1) ?? '') ||
    words.some((word) => SECRET_WORD.test(word))
  );
}

/**
 * Checks the name of a file that came to a hosted server or into the chat. Strangers may have chosen the name, so the
 * message doesn't quote it. @throws ToolError if it looks like a secret
 */
export function checkUploadedFileName(name: string): void {
  if (!looksLikeSecretFile(name)) return;
  throw new ToolError(
    'file_not_allowed',
    'The file was not uploaded: its name looks like a key, password, state, dump or settings file. If it is a document, rename it and try again.',
  );
}

/**
 * @throws ToolError if a file must not leave this machine because of its name, or the name of a folder above it. `path` is
 * relative to the allowed folder.
 */
export function checkUploadName(path: string, policy: UploadPolicy): void {
  if (policy === 'any') return;
  const parts = path.split(/[\\/]/);
  const name = parts.at(-1) ?? '';
  if (looksLikeSecretFile(name) || parts.slice(0, -1).some((part) => SECRET_FOLDER.test(part.toLowerCase())))
    throw new ToolError(
      'file_not_allowed',
      `${path} was not uploaded: its name looks like a key, password, state, dump or settings file. If it is a document, rename it, or start the server with --files DIR --any-file.`,
    );
  const extension = extname(name).toLowerCase();
  if (DOCUMENTS.includes(extension) || (policy === 'files' && OTHER_FILES.includes(extension))) return;
  const kind = extension === '' ? 'a file without an ending' : `a ${extension} file`;
  throw new ToolError(
    'file_not_allowed',
    `${path} was not uploaded: ${kind} is not a document. ${
      policy === 'documents'
        ? 'Save it as PDF, or start the server with --files DIR, which also allows files such as .html, .json and .zip.'
        : 'Save it as PDF or put it into a .zip file, or start the server with --files DIR --any-file.'
    }`,
  );
}

/** Words of a name, also of `serviceAccount` and `id_rsa`; without numbers and years. */
function toNameWords(text: string): readonly string[] {
  const spaced = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').toLowerCase();
  // Digits that replace letters: passw0rds.
  const plain = spaced.replace(/(?<=\p{L})[013](?=\p{L})/gu, (digit) => ({ 0: 'o', 1: 'i', 3: 'e' })[digit] ?? digit);
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !/^\d+$/.test(word));
}
