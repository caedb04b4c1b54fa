/** Instead of `mnemonist/lru-cache`, where the SDK keeps endpoints that it discovers: one for each client, if asked to at all. */
class EndpointMap<Key, Value> extends Map<Key, Value> {
	constructor(_capacity: number) {
		super();
	}

	peek(key: Key): Value | undefined {
		return this.get(key);
	}
}

// biome-ignore lint/style/noDefaultExport: as the package has it.
export default EndpointMap;
