import pc from 'picocolors';
import { colourMark } from './print.ts';

/**
 * Returns the colours of everything that a program prints to a stream, for `print` only. They are off unless the stream is a terminal, so
 * that no file and no log of a pipeline has escape sequences. NO_COLOR and a terminal without colours turn them off, too.
 */
export function coloursFor(stream: NodeJS.WriteStream) {
	const { bold, cyan, dim, green, red, yellow } = pc.createColors(stream.isTTY === true && pc.isColorSupported);
	return {
		bold: marked(bold),
		cyan: marked(cyan),
		dim: marked(dim),
		green: marked(green),
		red: marked(red),
		yellow: marked(yellow),
	};
}

/** Returns a colour whose escape characters `print` tells from those of the text. */
function marked(colour: (text: string) => string) {
	const [open = '', close = ''] = colour('|').replaceAll('\u001b', colourMark).split('|');
	return (text: string): string => `${open}${text}${close}`;
}
