import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Largest body of a write: as it is sent, which the server checks, and decompressed, which is checked here. */
export const maxWriteBytes = 32 * 1024 * 1024;

/** The text of a body, or the error code and the message of the response. */
export type DecodedWriteBody =
	| { readonly text: string }
	| { readonly refusal: 'invalid' | 'request too large' | 'unsupported media type'; readonly message: string };

const tooLarge: DecodedWriteBody = {
	refusal: 'request too large',
	message: `the body is larger than ${maxWriteBytes} bytes, decompressed`,
};

const unzip = promisify(gunzip);

/** Decompresses a body and decodes its UTF-8. A byte order mark stays, as in InfluxDB. @param encoding the header `content-encoding`: gzip, x-gzip, identity or none */
export async function decodeBody(encoding: string | undefined, body: Buffer): Promise<DecodedWriteBody> {
	const name = encoding?.trim().toLowerCase() ?? 'identity';
	if (name === 'identity' || name === '') return decodeText(body);
	if (name !== 'gzip' && name !== 'x-gzip')
		return {
			refusal: 'unsupported media type',
			message: `content-encoding must be gzip or identity, not ${JSON.stringify(name)}`,
		};
	try {
		return decodeText(await unzip(body, { maxOutputLength: maxWriteBytes }));
	} catch (error) {
		return isTooLarge(error) ? tooLarge : { refusal: 'invalid', message: 'the body is not gzip' };
	}
}

function decodeText(bytes: Buffer): DecodedWriteBody {
	if (bytes.length > maxWriteBytes) return tooLarge;
	try {
		return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
	} catch {
		return { refusal: 'invalid', message: 'the body is not UTF-8' };
	}
}

const isTooLarge = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
