/** Splits values into chunks of at most `size`, in order. */
export function chunksOf<Value>(size: number, values: readonly Value[]): readonly (readonly Value[])[] {
	return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
}
