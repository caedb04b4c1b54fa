import pc from 'picocolors';

/**
 * Returns the colours of everything that a program writes to a stream. They are off unless the stream is a terminal, so that no file and no
 * log of a pipeline has escape sequences. NO_COLOR and a terminal without colours turn them off, too.
 */
export function coloursFor(stream: NodeJS.WriteStream): ReturnType<typeof pc.createColors> {
	return pc.createColors(stream.isTTY === true && pc.isColorSupported);
}
