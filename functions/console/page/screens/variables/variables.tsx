import { route } from '#page/core/route.ts';
import { VariableList } from './variable-list.tsx';
import { VariablePage } from './variable-page.tsx';

/** The screen `variables`: the list, or the editor of one variable. */
export function Variables() {
	const { item } = route.value;
	return item === null ? <VariableList /> : <VariablePage key={item} id={item === 'new' ? 0 : Number(item)} />;
}
