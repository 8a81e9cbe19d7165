import { basename, extname } from 'node:path';
import { ToolError } from '../tool-error.ts';
import { isDocumentName } from './document-name.ts';

/** Plain text that people share. It may also hold secrets, so its names are checked. */
const TEXT_EXTENSIONS: readonly string[] = ['.txt', '.md', '.csv', '.html', '.xls', '.xlsx', '.ods'];
const MEDIA_EXTENSIONS: readonly string[] = '.gif .webp .heic .svg .pages .numbers .epub .mp4 .mov'.split(' ');

/** Extensions of keys, states, databases, dumps and environment files. */
const SECRET_EXTENSIONS: readonly string[] =
  '.pem .key .p12 .pfx .jks .keystore .kdbx .ppk .asc .gpg .tfstate .tfvars .env .sqlite .sqlite3 .db .sql .dump .bak .dat'.split(
    ' ',
  );
const SECRET_NAME =
  /(?:^|[._-])(?:passw(?:or)?ds?|passwd|credentials?|secrets?|tokens?|api[_-]?keys?|private[_-]?keys?|id_(?:rsa|dsa|ecdsa|ed25519)|service[_-]?account|wallet|cookies|keystore|kubeconfig|htpasswd|env)(?:[._-]|$)/i;

/**
 * Refuses to upload files that look like secrets, because a model chooses them.
 * @param isAnyKindAllowed whether the user named the folder: then every kind is allowed that does not look like a secret
 * @throws ToolError
 */
export function checkUploadName(path: string, { isAnyKindAllowed }: { isAnyKindAllowed: boolean }): void {
  const name = basename(path);
  const extension = extname(name).toLowerCase();
  // A policy about passwords is a document: names of documents are not checked.
  if (isDocumentName(name) && !TEXT_EXTENSIONS.includes(extension)) return;
  if (SECRET_EXTENSIONS.includes(extension) || SECRET_NAME.test(name))
    throw new ToolError(
      'path_not_allowed',
      `${name} looks like a file with secrets, keys or data of a program, so it is not uploaded. If it is a document, let the user rename it or upload it in Docshare.`,
    );
  if (!isAnyKindAllowed && !TEXT_EXTENSIONS.includes(extension) && !MEDIA_EXTENSIONS.includes(extension))
    throw new ToolError(
      'path_not_allowed',
      `${name} is not a document, such as a .pdf, .docx or .txt file. To upload other kinds, the user can start the server with --files DIR.`,
    );
}
