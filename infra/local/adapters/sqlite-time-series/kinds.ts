import { maxExactInteger, unionOfTypes } from '#adapters/series-points.ts';
import type { FieldValue } from '../line-protocol/point.ts';

/** The stored kind of each type of sample. It is the position of the type's bit in `typeBits`, where a set of types is one number. */
const kinds = { float: 0, int: 1, uint: 2, bool: 3, string: 4 } as const satisfies Record<FieldValue['kind'], number>;

/** Added to the kind of an integer beyond 2^53, which is stored as the nearest float. Above every kind of a type. */
export const inexact = 8;

const maxExact = BigInt(maxExactInteger);

/** Converts a value to its two columns, a number and a kind. A string becomes NaN, because no read needs its text. */
export function encodeValue({ kind, value }: FieldValue): readonly [value: number, kind: number] {
	if (kind === 'string') return [Number.NaN, kinds.string];
	const isBeyond = typeof value === 'bigint' && (value > maxExact || value < -maxExact);
	return [Number(value), isBeyond ? kinds[kind] + inexact : kinds[kind]];
}

/** Whether a sample is an integer that is stored as the nearest float. */
export function isInexact(kind: number): boolean {
	return kind >= inexact;
}

/** InfluxDB's name of each type, by its stored kind. */
const typeNames = ['float', 'integer', 'unsigned', 'boolean', 'string'];

/** Returns InfluxDB's name of the type of a stored kind. */
export function typeNameOf(kind: number): string {
	return typeNames[kind % inexact] ?? '';
}

/** Returns the bit in `typeBits` of a stored kind. */
export function typeBitOf(kind: number): number {
	return 1 << (kind % inexact);
}

/** Returns the types of stored kinds as `typeBits`. */
export function typesOfKinds(kinds: Iterable<number>): number {
	return unionOfTypes(Array.from(kinds, typeBitOf));
}

/** Converts two columns to the value that was written. Null for a string, whose text is not stored, and for a whole number that was rounded. */
export function decodeValue(value: number | null, kind: number): FieldValue | null {
	if (value === null || isInexact(kind)) return null;
	if (kind === kinds.int) return { kind: 'int', value: BigInt(value) };
	if (kind === kinds.uint) return { kind: 'uint', value: BigInt(value) };
	if (kind === kinds.bool) return { kind: 'bool', value: value === 1 };
	return kind === kinds.float ? { kind: 'float', value } : null;
}
