/** The addresses of pixels within a text. */
const address = /^data:image\/(?:png|jpeg|gif|webp);base64,([A-Za-z\d+/=\s]*)$/;

/**
 * Returns the number of pixels of the bitmap in a `data:` address by its header; null: it is none whose header is known, or an animation,
 * whose pictures can be many.
 */
export function pixelsOf(href: string): number | null {
	const [, base64] = address.exec(href) ?? [];
	const bytes = base64 === undefined ? null : decoded(base64);
	if (bytes === null) return null;
	try {
		// Browsers know the format by the first bytes, whatever the address says.
		return (pngPixels(bytes) ?? jpegPixels(bytes) ?? gifPixels(bytes) ?? webpPixels(bytes)) || null;
	} catch (error) {
		// The bytes end within the header.
		if (error instanceof RangeError) return null;
		throw error;
	}
}

function decoded(base64: string): DataView | null {
	try {
		return new DataView(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)).buffer);
	} catch {
		return null;
	}
}

/** Whether bytes are those of a text in Latin-1. */
function isText(bytes: DataView, start: number, text: string): boolean {
	return [...text].every((character, index) => bytes.getUint8(start + index) === character.charCodeAt(0));
}

/** https://www.w3.org/TR/png-3/#11IHDR */
function pngPixels(bytes: DataView): number | null {
	if (!isText(bytes, 0, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return null;
	for (let at = 33; at + 8 <= bytes.byteLength && !isText(bytes, at + 4, 'IDAT'); at += 12 + bytes.getUint32(at))
		if (isText(bytes, at + 4, 'acTL')) return 0;
	return bytes.getUint32(16) * bytes.getUint32(20);
}

/**
 * https://www.w3.org/Graphics/JPEG/itu-t81.pdf (annex B). Returns 0 where anything but whole segments is before the header of the frame:
 * decoders skip it in different ways.
 */
function jpegPixels(bytes: DataView): number | null {
	if (!isText(bytes, 0, '\xff\xd8')) return null;
	let at = 2;
	while (bytes.getUint8(at) === 0xff) {
		const marker = bytes.getUint8(at + 1);
		if (jpegFrames.has(marker)) return bytes.getUint16(at + 5) * bytes.getUint16(at + 7);
		if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda) || marker === 0xff) return 0;
		at += 2 + bytes.getUint16(at + 2);
	}
	return 0;
}

/** The markers of frames, SOF0 to SOF15. Tables and extensions have three of the numbers between them. */
const jpegFrames: ReadonlySet<number> = new Set([
	...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7],
	...[0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
]);

/** https://www.w3.org/Graphics/GIF/spec-gif89a.txt. A first picture that is larger than the screen of the GIF enlarges it. */
function gifPixels(bytes: DataView): number | null {
	if (!isText(bytes, 0, 'GIF87a') && !isText(bytes, 0, 'GIF89a')) return null;
	// Decoders draw what is there of a picture whose end is missing.
	const byteAt = (at: number): number => (at < bytes.byteLength ? bytes.getUint8(at) : 0);
	const afterColours = (flags: number): number => (flags < 0x80 ? 0 : 3 * 2 ** ((flags % 8) + 1));
	const afterBlocks = (start: number): number => {
		let end = start;
		while (byteAt(end) > 0) end += 1 + byteAt(end);
		return end + 1;
	};
	const afterExtensions = (start: number): number => {
		let end = start;
		while (byteAt(end) === 0x21) end = afterBlocks(end + 2);
		return end;
	};
	const at = afterExtensions(13 + afterColours(bytes.getUint8(10)));
	const next = afterExtensions(afterBlocks(at + 11 + afterColours(byteAt(at + 9))));
	if (byteAt(at) !== 0x2c || byteAt(next) === 0x2c) return 0;
	const [width = 0, height = 0] = [0, 2].map((axis) =>
		Math.max(bytes.getUint16(6 + axis, true), bytes.getUint16(at + 1 + axis, true) + bytes.getUint16(at + 5 + axis, true)),
	);
	return width * height;
}

/** https://www.rfc-editor.org/rfc/rfc9649 (section 2) */
function webpPixels(bytes: DataView): number | null {
	if (!isText(bytes, 0, 'RIFF') || !isText(bytes, 8, 'WEBPVP8')) return null;
	const side = 2 ** 14;
	if (isText(bytes, 15, 'X') && Math.floor(bytes.getUint8(20) / 2) % 2 === 1) return 0;
	if (isText(bytes, 15, 'X'))
		return ((bytes.getUint32(24, true) % 2 ** 24) + 1) * (Math.floor(bytes.getUint32(26, true) / 256) + 1);
	if (isText(bytes, 15, 'L') && isText(bytes, 20, '/')) {
		const sizes = bytes.getUint32(21, true);
		return ((sizes % side) + 1) * ((Math.floor(sizes / side) % side) + 1);
	}
	const isLossy = isText(bytes, 15, ' ') && isText(bytes, 23, '\x9d\x01*');
	return isLossy ? (bytes.getUint16(26, true) % side) * (bytes.getUint16(28, true) % side) : null;
}
