import { shellText } from '#page/shell/texts.ts';

/** The screen `diagram`. */
export function DiagramScreen() {
	return <h1>{shellText().screens.diagram}</h1>;
}
