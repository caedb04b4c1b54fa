import { shellText } from '#page/shell/texts.ts';

/** The screen `variables`. */
export function Variables() {
	return <h1>{shellText().screens.variables}</h1>;
}
