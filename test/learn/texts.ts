/** Messages of the product that tests compare with. A reworded message is changed only here. */
export const texts = {
  everyCallReturned404: 'every call returned 404',
  everyCallReturnedWeb: 'every call returned a web page',
  everyCallWasRedirected: 'every call was redirected',
  hangsUpAtOnce: 'hangs up at once',
  headerGoesLengthList: 'a header that depends on the length of a list',
  importTypeLinkDocshare:
    "import type { Link } from 'docshare';\nimport type {} from './docshare.api.d.ts';\nexport const named: Link['*/ export const pwned = 1; /*'] = null;\n// @ts-expect-error: a name is no code\nimport { pwned } from './docshare.api.d.ts';\n// @ts-expect-error: nor does it change the type of another\nexport const wrong: Link['class'] = 1;\n",
  n1NameLeftOut:
    '1 name was left out, because users of the account may have chosen it. If it is the service’s, run again with --keep-names to keep field names with any words.',
  n2NamesLeftOut:
    '2 names were left out, because users of the account may have chosen them. If they are the service’s, run again with --keep-names to keep field names with any words.',
  n3CallsRowHad: '3 calls in a row had no response',
  nothingWrittenPressCtrl: 'nothing is written.\nPress Ctrl-C to stop and print the changes so far.\n',
  openAShareLink: 'open a share link',
  openapiMakesNoCalls: '--openapi makes no calls',
  rateLimitOfTheService: 'rate limit of the service',
  runAgainResumeContinue: 'Run again with --resume to continue.',
  whatApiDocumentSays: 'only what the API document says',
  outGivenTwiceLeave: '--out is set twice. Remove one of the two. See docshare learn --help.',
  webhookPortTakesWhole: 'Invalid value of --webhook-port. Use a whole number from 0 to 65535.',
  waitTakesWholeNumber: 'Invalid value of --wait. Use a whole number from 0 to 3600.',
  budgetTakesWholeNumber: 'Invalid value of --budget. Use a whole number from 1 to 1000.',
} as const;
