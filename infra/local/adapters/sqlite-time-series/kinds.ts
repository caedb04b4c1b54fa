import type { FieldValue } from '../line-protocol/point.ts';

/** A sample's type as stored. `wide` is added where an integer has no exact number (beyond 2^53); it is the same type. */
const codes = { float: 0, int: 1, uint: 2, bool: 3, string: 4 } as const satisfies Record<FieldValue['kind'], number>;

const wide = 8;

const maxExact = 2n ** 53n;

/** A value as two columns: its number (NaN for a string, which no read asks for) and its kind. */
export function encode(value: FieldValue): readonly [value: number, kind: number] {
	const code = codes[value.kind];
	switch (value.kind) {
		case 'float':
			return [value.value, code];
		case 'bool':
			return [value.value ? 1 : 0, code];
		case 'string':
			return [Number.NaN, code];
		default:
			return [Number(value.value), value.value > maxExact || value.value < -maxExact ? code + wide : code];
	}
}

export function isString(kind: number): boolean {
	return kind === codes.string;
}

export function isWide(kind: number): boolean {
	return kind >= wide;
}

/** Sets of types as bits, without regard to width. */
export function typeBit(kind: number): number {
	return 1 << (kind % wide);
}

/** Whether a set of types holds more than one. */
export function isMixed(types: number): boolean {
	return (types & (types - 1)) !== 0;
}

export const stringType = typeBit(codes.string);
