import { shellText } from '#page/shell/texts.ts';

/** The screen `overview`. */
export function Overview() {
	return <h1>{shellText().screens.overview}</h1>;
}
