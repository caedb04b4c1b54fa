import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import type { Claims } from '#domain/identity/claims.ts';
import { type Grant, maxGrantClaims, whereSchema } from '#domain/identity/grants.ts';
import { ConfigError } from '#shared/config.ts';

const claimsSchema = v.custom<Claims>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

/** Adds `claim=value` to the claims of a grant. The claim ends at the first `=`. */
export function addClaim(text: string, earlier: Grant['where'] = {}): Grant['where'] {
	const [, claim, value] = /^([^=]+)=(.+)$/su.exec(text) ?? [];
	if (claim === undefined || value === undefined)
		throw new InvalidArgumentError('Write a claim and its value, such as groups=plant-a-ops.');
	if (Object.hasOwn(earlier, claim))
		throw new InvalidArgumentError(`${claim} is there twice: all claims of a grant must hold, so add a grant for each value.`);
	const where = v.safeParse(whereSchema, { ...earlier, [claim]: value });
	if (!where.success)
		throw new InvalidArgumentError(`A grant has at most ${maxGrantClaims} claims, and names and values of 1,000 characters.`);
	return where.output;
}

/** Reads claims from a file: the payload of a token, or the answer of a userinfo endpoint. @throws ConfigError when it holds no such JSON */
export async function readClaims(file: string): Promise<Claims> {
	const text = await readFile(file, 'utf8').catch((cause: unknown) => {
		throw new ConfigError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
	});
	try {
		return v.parse(v.pipe(v.string(), v.parseJson(), claimsSchema), text);
	} catch (cause) {
		throw new ConfigError(
			`${file} must hold the claims as one JSON object: the decoded middle part of a token, or what the userinfo endpoint answers.`,
			{ cause },
		);
	}
}
