import type { Schemas } from './api.ts';

/** What the sign-in form asks for, as the specification names it. */
export type Credentials = Schemas['Credentials'];

/** The fields of the sign-in form, in their order. */
export const credentialFields: readonly (keyof Credentials)[] = ['email', 'tokenApp', 'schemaName', 'tsdb_name'];
