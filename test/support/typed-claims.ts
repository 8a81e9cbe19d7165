/** Assertions about types: `npm run types` checks them, and there is nothing to run. */
import { expectTypeOf } from 'vitest';
import type { Handlers } from '../../sandbox/handlers/handler.ts';
import type { Client, Download, Link, LinkUpdateParams, Page, Room } from '../../src/index.ts';

/** A sandbox without a handler for one operation does not compile. */
type Incomplete = Omit<Handlers, 'links'> & { links: Omit<Handlers['links'], 'create'> };
expectTypeOf<Incomplete>().not.toExtend<Handlers>();

/** The client has the types of the catalog. */
type Created = Awaited<ReturnType<Client['links']['create']>>;
expectTypeOf<Created['url']>().toEqualTypeOf<string>();
expectTypeOf<NonNullable<Parameters<Client['links']['create']>[0]>['document_id']>().toExtend<
  string | number | bigint | undefined
>();
expectTypeOf<Awaited<ReturnType<Client['agreements']['document']>>>().toEqualTypeOf<Download>();
expectTypeOf<Awaited<ReturnType<Client['rooms']['list']>>>().toExtend<Page<Room>>();

/** Documented fields of a link and a document are typed in every response that contains one. */
expectTypeOf<Awaited<ReturnType<Client['links']['update']>>['url']>().toEqualTypeOf<string | undefined>();
type Listed = Awaited<ReturnType<Client['documents']['list']>>['items'][number];
expectTypeOf<Listed['id']>().toEqualTypeOf<string | number | undefined>();
expectTypeOf<Parameters<Client['links']['update']>[0]['email_required']>().toEqualTypeOf<boolean | undefined>();

/** Objects and inputs have names, and an undocumented field is an error until it is checked. */
expectTypeOf<Awaited<ReturnType<Client['links']['update']>>>().toEqualTypeOf<Link>();
expectTypeOf<Parameters<Client['links']['update']>[0]>().toEqualTypeOf<LinkUpdateParams>();
expectTypeOf<Room>().not.toHaveProperty('name');
