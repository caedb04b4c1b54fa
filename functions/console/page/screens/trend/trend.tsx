import { shellText } from '#page/shell/texts.ts';

/** The screen `trend`. */
export function Trend() {
	return <h1>{shellText().screens.trend}</h1>;
}
