import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '#page/core/api.ts';
import { hrefOf } from '#page/core/route.ts';
import { sessionCheck } from '#page/core/session.ts';
import { itemKinds } from '#page/editing/item-kinds.ts';
import { Icon } from '#page/parts/icon.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { type ChangeEntry, entryAddressOf, readCausedChanges } from './change-entries.ts';
import { changeText } from './change-texts.ts';
import { itemWords } from './change-words.ts';

/** Lists the entries that a deletion caused, each with a link to it, where the earlier version can be restored. Draws nothing without such entries. */
export function CausedChanges({ deletion }: { readonly deletion: ChangeEntry }) {
	const text = changeText();
	const caused = useSignal<Result<readonly ChangeEntry[]> | null>(null);
	useEffect(() => {
		const isSameSession = sessionCheck();
		void readCausedChanges(deletion).then((result) => {
			if (isSameSession()) caused.value = result;
		});
	}, []);
	if (caused.value === null) return null;
	if (!caused.value.ok) return <Problems failure={caused.value.failure} fallback={text.notRead} />;
	if (caused.value.data.length === 0) return null;
	return (
		<section aria-label={text.lostToo}>
			<h3>{text.lostToo}</h3>
			<ul class="uses">
				{caused.value.data.map((entry) => (
					<li key={entryAddressOf(entry)}>
						<Icon name={itemKinds[entry.kind].icon} /> <a href={hrefOf('changes', entryAddressOf(entry))}>{entry.name}</a>{' '}
						<span class="muted">
							{itemWords(entry)} · {text.actions[entry.action]}
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}
