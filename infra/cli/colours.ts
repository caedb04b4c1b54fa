import pc from 'picocolors';

/** Returns colours for a stream. They are off unless it is a terminal, so that no file and no log of a pipeline has escape sequences. */
export function coloursFor(stream: NodeJS.WriteStream): ReturnType<typeof pc.createColors> {
	return pc.createColors(stream.isTTY === true && pc.isColorSupported);
}
