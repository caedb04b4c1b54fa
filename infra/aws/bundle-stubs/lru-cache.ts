/**
 * Replaces `mnemonist/lru-cache`, in which the SDK caches discovered endpoints. The functions' clients discover no endpoints, so
 * the map stays empty and needs no limit.
 */
class EndpointMap<Key, Value> extends Map<Key, Value> {
	constructor(_capacity: number) {
		super();
	}

	peek(key: Key): Value | undefined {
		return this.get(key);
	}
}

// biome-ignore lint/style/noDefaultExport: the replaced package has a default export.
export default EndpointMap;
