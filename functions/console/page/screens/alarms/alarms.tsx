import { shellText } from '#page/shell/texts.ts';

/** The screen `alarms`. */
export function Alarms() {
	return <h1>{shellText().screens.alarms}</h1>;
}
