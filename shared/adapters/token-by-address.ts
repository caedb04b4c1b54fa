import * as v from 'valibot';
import { isSecretText, type Secret, SecretError } from './secret.ts';

const tableSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/**
 * Returns the token of one server, from a secret that is the token of all servers, or JSON: a token for each address. A token that JSON has
 * for another address is never used, and a text that begins as JSON is never taken for a token. Where the address is lacking, the secret is read
 * again, because it may be new.
 * @example await tokenFor(staticSecret('{"https://a.example":"t1"}'), 'https://a.example').value() // 't1'
 */
export function tokenFor(secret: Secret, address: string): Secret {
	const read = async (refused?: string): Promise<string> => {
		const text = await secret.value();
		const token = tokenIn(text, address);
		if (token !== null && token !== refused) return token;
		const current = await secret.refresh(text);
		const currentToken = tokenIn(current, address);
		if (currentToken !== null) return currentToken;
		const problem = v.is(tableSchema, current) ? `has no token for ${address}` : 'begins with { and is not JSON';
		throw new SecretError(
			`The secret of InfluxDB ${problem}. Store one token for all servers, or one for each address: {"${address}":"TOKEN"}.`,
		);
	};
	return { value: () => read(), refresh: read };
}

/** Returns the token for an address in the text of a secret. Null: it is JSON that has none, or begins as JSON. */
function tokenIn(text: string, address: string): string | null {
	if (!text.startsWith('{')) return text;
	const table = v.safeParse(tableSchema, text);
	if (!table.success) return null;
	const [, token] = Object.entries(table.output).find(([key]) => key.replace(/\/+$/, '') === address) ?? [];
	return typeof token === 'string' && isSecretText(token) ? token : null;
}
