import { route } from '#page/core/route.ts';
import { VariablePage } from './variable-page.tsx';

/** The editor of the variable that the address names; `new` is one that is not saved yet. */
export function VariableScreen() {
	const { item } = route.value;
	return <VariablePage key={item} id={item === 'new' ? 0 : Number(item)} />;
}
