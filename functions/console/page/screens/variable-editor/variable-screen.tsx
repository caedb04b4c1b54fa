import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { GoneItem } from '#page/changes/gone-item.tsx';
import type { Failure } from '#page/core/api.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { route } from '#page/core/route.ts';
import { commonText } from '#page/i18n/common.ts';
import { Banner } from '#page/parts/banner.tsx';
import { Button } from '#page/parts/button.tsx';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { type Draft, emptyDraft, storedDraftOf } from './draft.ts';
import { Editor } from './editor.tsx';
import { editorText } from './editor-texts.ts';
import { readVariable } from './variable-requests.ts';

/** The editor of the variable that the address names. The items `new` and `0` are a variable that is not saved yet. */
export function VariableScreen() {
	const { item } = route.value;
	const id = item === 'new' ? 0 : Number(item);
	const page = <VariablePage key={item} id={id} />;
	return id === 0 ? (
		<ScreenForRole title={commonText().newVariable} needs="engineer">
			{page}
		</ScreenForRole>
	) : (
		page
	);
}

/** Reads a variable, and then shows its editor. The id 0 is a new variable. */
function VariablePage({ id }: { readonly id: number }) {
	const text = editorText();
	/** Null until the variable was read. */
	const stored = useSignal<Versioned<Draft> | 'missing' | null>(id === 0 ? { content: emptyDraft, version: null } : null);
	const failure = useSignal<Failure | null>(null);
	const load = async (): Promise<void> => {
		failure.value = null;
		const result = await readVariable(id);
		if (!result.ok) failure.value = result.failure;
		else stored.value = result.data === null ? 'missing' : storedDraftOf(result.data);
	};
	useEffect(() => {
		// An item of the address that is no number has become NaN.
		if (Number.isSafeInteger(id) && id > 0) void load();
		else if (id !== 0) stored.value = 'missing';
	}, []);

	if (stored.value !== null && stored.value !== 'missing') return <Editor stored={stored.value} />;
	return (
		<>
			<div class="head">
				<h1>{commonText().variables}</h1>
			</div>
			{stored.value === 'missing' && (
				<GoneItem kind="variable" id={Number.isSafeInteger(id) ? id : null}>
					{text.missing}
				</GoneItem>
			)}
			{stored.value === null && failure.value === null && <p class="muted">{commonText().reading}</p>}
			{failure.value !== null && (
				<Banner look="error" icon="q-bad" action={<Button onClick={() => void load()}>{commonText().again}</Button>}>
					{text.failed}
				</Banner>
			)}
		</>
	);
}
