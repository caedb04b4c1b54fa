import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Result } from '#page/core/api.ts';
import type { StoredCorrection } from '#page/core/definitions.ts';
import { readCorrections } from '#page/corrections/correction-draft.ts';
import { correctionText } from '#page/corrections/correction-texts.ts';
import { CorrectionWords } from '#page/corrections/correction-words.tsx';
import { Problems } from '#page/parts/problems.tsx';
import { isAbout, type ReportColumn } from './report-model.ts';
import { reportScreenText } from './texts.ts';

interface AppliedCorrectionsProps {
	readonly column: ReportColumn;
	/** The time that the number is about, in epoch milliseconds; `end` is exclusive. */
	readonly span: { readonly start: number; readonly end: number };
}

/** The corrections that affect a line in a span. They are read when the component appears: the report holds only their ids. */
export function AppliedCorrections({ column: { line, defined }, span }: AppliedCorrectionsProps) {
	const read = useSignal<Result<readonly StoredCorrection[]> | null>(null);
	const ids = line.corrections ?? [];
	const varId = defined?.varId ?? null;
	useEffect(() => {
		// Without a variable there is nothing to ask for: the line is a formula or a count of alarms, or it was deleted since.
		if (ids.length === 0 || varId === null) return;
		void readCorrections(varId).then((result) => {
			read.value = result.ok ? { ...result, data: result.data.data } : result;
		});
	}, [line, varId]);
	if (read.value?.ok === false) return <Problems failure={read.value.failure} fallback={correctionText().unread} />;
	const found = (read.value?.data ?? []).filter((each) => ids.includes(each.id) && isAbout(each, span));
	if (found.length === 0) return null;
	return (
		<>
			<p class="strong">{reportScreenText().corrected}</p>
			{found.map((correction) => (
				<p key={correction.id}>
					<CorrectionWords correction={correction} />
				</p>
			))}
		</>
	);
}
