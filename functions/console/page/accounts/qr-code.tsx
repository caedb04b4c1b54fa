import { generate } from 'lean-qr/nano';

/** A reader needs so many light modules around a code (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4;

/** A QR code of a text, dark on light in each theme, because readers expect it so. */
export function QrCode({ value, label }: { readonly value: string; readonly label: string }) {
	const code = generate(value);
	const places = Array.from({ length: code.size }, (_, place) => place);
	const modules = places.flatMap((y) => places.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`));
	const side = code.size + 2 * quietZone;
	return (
		<svg class="qr" role="img" aria-label={label} viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}>
			<path d={modules.join('')} />
		</svg>
	);
}
