/** The first bytes of XML in encodings that they tell (https://www.w3.org/TR/xml/#sec-guessing): a byte order mark, or the first sign. */
const marks = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
	['utf-16le', [0x3c, 0]],
	['utf-16be', [0, 0x3c]],
] as const;

/** The bytes in which a declaration of XML stands. */
const maxDeclaration = 200;

/**
 * Decodes a file of XML: by its byte order mark, by the encoding that it declares, or as UTF-8. Returns null for bytes that the encoding
 * does not have, and for an encoding that browsers do not know.
 * @example textOfXml(bytesOf(`<?xml version="1.0" encoding="ISO-8859-1"?>…`))
 */
export function textOfXml(bytes: Uint8Array): string | null {
	const marked = marks.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
	try {
		return new TextDecoder(marked?.[0] ?? declaredEncoding(bytes), { fatal: true }).decode(bytes);
	} catch (error) {
		if (error instanceof RangeError || error instanceof TypeError) return null;
		throw error;
	}
}

function declaredEncoding(bytes: Uint8Array): string {
	const start = String.fromCharCode(...bytes.subarray(0, maxDeclaration));
	const [, declared = 'utf-8'] = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start) ?? [];
	// The declaration is written in single bytes, so the file has been saved in another encoding than it says.
	return /^(?:utf-16|ucs-2|iso-10646-ucs)/i.test(declared) ? 'utf-8' : declared;
}
