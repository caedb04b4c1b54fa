/** Returns whether `value` is a whole number from 0 to 255. */
export function isByte(value: number): boolean {
	return Number.isInteger(value) && value >= 0 && value <= 255;
}

/**
 * Returns one bit of a byte. Position 0 is the least significant bit.
 * @example
 * bitOf(0b10000001, 7); // 1
 */
export function bitOf(byte: number, position: number): 0 | 1 {
	// Moves the bit to the last place, and takes that place alone.
	return ((byte >> position) & 1) === 1 ? 1 : 0;
}
