import * as v from 'valibot';
import { type Role, roles } from '#domain/access/role.ts';
import { tellInvalidRow } from './invalid-row.ts';

const roleSchema = v.picklist(roles);

/**
 * Parses the stored role of a person. One that cannot be read, as of a newer release, gives the least, so that the person can sign in, until an
 * administrator sets another. The log names the schema, and not the person.
 */
export function storedRoleOf(schema: string, stored: unknown): Role {
	if (v.is(roleSchema, stored)) return stored;
	tellInvalidRow(schema, 'person');
	return 'viewer';
}
