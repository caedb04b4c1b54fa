import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { addressSchema, allSeverities, type MessageAddress } from '../adapters/message-address.ts';

const listSchema = v.pipe(v.array(addressSchema, 'must be a list.'), v.nonEmpty('must hold an address.'));

/** What says where messages go. */
interface MessageSettings {
	readonly NOTIFY_URL?: string | undefined;
	/** The keys of NOTIFY_SECRETS. */
	readonly NOTIFY_SECRETS?: Buffer[] | undefined;
	readonly NOTIFY_FILE?: string | undefined;
}

/**
 * Returns the addresses of messages: NOTIFY_URL, and those in the JSON file that NOTIFY_FILE names (functions/README.md#formats).
 * @throws ConfigError that names everything that is missing or wrong in the file, and repeats no value, which may be a secret
 */
export function messageAddressesOf({
	NOTIFY_URL: url,
	NOTIFY_SECRETS: keys = [],
	NOTIFY_FILE: file,
}: MessageSettings): readonly MessageAddress[] {
	return [
		...(url === undefined ? [] : [{ name: 'NOTIFY_URL', format: 'caudal', url, severities: allSeverities, keys } as const]),
		...(file === undefined ? [] : readFile(file)),
	];
}

function readFile(file: string): readonly MessageAddress[] {
	let sent: unknown;
	try {
		sent = JSON.parse(readFileSync(file, 'utf8'));
	} catch (cause) {
		// A parser's message quotes the text that it could not parse, and with it secrets.
		throw new ConfigError(
			`NOTIFY_FILE ${file} ${cause instanceof SyntaxError ? 'is no JSON.' : `cannot be read: ${messageOf(cause)}`}`,
		);
	}
	const result = v.safeParse(listSchema, sent);
	if (result.success)
		return result.output.map((address, index) => ({ ...address, name: `NOTIFY_FILE ${index} (${address.format})` }));
	throw new ConfigError(`NOTIFY_FILE ${file}: ${result.issues.map(faultOf).join(' ')}`);
}

/** Returns a fault in words: `0.url is required.` */
function faultOf(issue: v.BaseIssue<unknown>): string {
	const field = v.getDotPath(issue) ?? 'the list';
	if (issue.received === 'undefined') return `${field} is required.`;
	return `${field} ${issue.expected === 'never' ? 'is no field of this format.' : issue.message}`;
}
