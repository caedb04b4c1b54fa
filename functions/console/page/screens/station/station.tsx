import { shellText } from '#page/shell/texts.ts';

/** The screen `station`. */
export function Station() {
	return <h1>{shellText().screens.station}</h1>;
}
