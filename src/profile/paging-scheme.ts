import { z } from 'zod';

/** Names from the response inwards: `['meta', 'next_cursor']`; empty for the response itself. */
export const JsonPathSchema = z.array(z.string()).max(20);

/** Header that a service may set, so none of the connection. */
export const HeaderNameSchema = z
  .string()
  .regex(
    /^(?!(?:connection|content-length|transfer-encoding|content-encoding|upgrade|trailer|te|keep-alive)$)[\w!#$%&'*+.^`|~-]{1,100}$/i,
    'is not a header that a service may set',
  );

/** How the next page of a list is requested, and where a response says so. */
const NextPageSchemeForm = z.object({
  /**
   * `cursor`: a value that goes into a parameter. `url`: the URL of the next page. `page`, `offset`: numbers
   * that the caller counts on. `after-id`: the id of the last entry. `none`: the list has only one page.
   */
  by: z.enum(['cursor', 'url', 'page', 'offset', 'after-id', 'none']),
  /** Path of the field that says it; unset if no field does. */
  at: JsonPathSchema.exactOptional(),
  /** Name of the header that says it, such as `link`. */
  header: HeaderNameSchema.exactOptional(),
  /** Parameters that take the value, as the service names them. */
  params: z.array(z.string()),
  /** Number of the first page, or of the first entry. */
  first: z.int().exactOptional(),
});

const PagingSchemeForm = z.object({
  /** Path of the entries; empty for a bare array. */
  at: JsonPathSchema,
  /** Unset if no list was longer than one page. */
  next: NextPageSchemeForm.exactOptional(),
  /** Path of the field that says that more follows, and the value that means it. */
  more: z.object({ at: JsonPathSchema, means: z.union([z.boolean(), z.number(), z.string()]) }).exactOptional(),
  /** Path of the field that counts all entries. */
  total: JsonPathSchema.exactOptional(),
  size: z.object({
    /** Entries of a page if no size is requested. */
    default: z.int().min(1).exactOptional(),
    /** Entries of the largest page. */
    max: z.int().min(1).exactOptional(),
    /** Parameter that requests a page size. */
    param: z.string().exactOptional(),
  }),
});

/** Facts about one list in a profile (docshare.profile.json). */
export const ListProfileSchema = PagingSchemeForm.extend({
  order: z.enum(['newest', 'oldest']).exactOptional(),
  /** Effect of a parameter, by `name` or `name=value`: `narrows`, `sorts`, nothing (`ignored`), or `refused`. */
  query: z.record(z.string(), z.enum(['narrows', 'sorts', 'ignored', 'refused'])),
});

/** How a list pages, as plain data: the client detects it, a profile stores it, and the sandbox renders it. */
export interface PagingScheme extends z.infer<typeof PagingSchemeForm> {}
export type NextPageScheme = z.infer<typeof NextPageSchemeForm>;
export interface ListProfile extends z.infer<typeof ListProfileSchema> {}
