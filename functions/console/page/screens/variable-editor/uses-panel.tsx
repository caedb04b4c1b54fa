import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { commonText } from '#page/i18n/common.ts';
import { Icon, type IconName } from '#page/parts/icon.tsx';
import { deleteText, editorText } from './editor-texts.ts';
import { readUses, type VariableUse } from './variable-requests.ts';

/** What refers to a variable. */
export function UsesPanel({ id }: { readonly id: number }) {
	const text = editorText();
	const uses = useSignal<readonly VariableUse[] | null>(null);
	useEffect(() => {
		void readUses(id).then((result) => {
			if (result.ok) uses.value = result.data;
		});
	}, [id]);
	if (uses.value === null) return null;
	return (
		<section class="panel" aria-label={commonText().usedBy}>
			<h2>{commonText().usedBy}</h2>
			{uses.value.length === 0 ? <p class="muted">{text.unusedVariable}</p> : <UseList uses={uses.value} />}
		</section>
	);
}

/** A list of what refers to a variable, with its kind in words. */
export function UseList({ uses }: { readonly uses: readonly VariableUse[] }) {
	const { usages } = deleteText();
	return (
		<ul class="uses">
			{uses.map(({ kind, id, name }) => (
				<li key={`${kind} ${id}`}>
					<Icon name={useIcons[kind]} /> {name} <span class="muted">{usages[kind]}</span>
				</li>
			))}
		</ul>
	);
}

const useIcons: Readonly<Record<VariableUse['kind'], IconName>> = {
	chart: 'i-trend',
	diagram: 'i-diagram',
	alarm: 'i-alarm',
	panel: 'i-station',
};
