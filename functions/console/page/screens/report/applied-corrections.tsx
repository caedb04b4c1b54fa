import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { readCorrections, type StoredCorrection } from '#page/corrections/correction-draft.ts';
import { CorrectionWords } from '#page/corrections/correction-words.tsx';
import type { ReportColumn } from './report-model.ts';
import { reportScreenText } from './texts.ts';

interface AppliedCorrectionsProps {
	readonly column: ReportColumn;
	readonly span: { readonly start: number; readonly end: number };
}

/** The corrections that affect a line in a span. They are read when the person opens them. */
export function AppliedCorrections({ column: { line, defined }, span }: AppliedCorrectionsProps) {
	const found = useSignal<readonly StoredCorrection[]>([]);
	const ids = line.corrections ?? [];
	const varId = defined?.varId ?? null;
	useEffect(() => {
		if (ids.length === 0 || varId === null) return;
		void readCorrections(varId).then((result) => {
			if (result.ok) found.value = result.data.data.filter((each) => ids.includes(each.id) && isAbout(each, span));
		});
	}, [line, span.start, span.end]);
	if (found.value.length === 0) return null;
	return (
		<>
			<p class="strong">{reportScreenText().corrected}</p>
			{found.value.map((correction) => (
				<p key={correction.id}>
					<CorrectionWords correction={correction} />
				</p>
			))}
		</>
	);
}

function isAbout({ from, to, at }: StoredCorrection, { start, end }: AppliedCorrectionsProps['span']): boolean {
	const [first, last] = [Number(from ?? at), Number(to ?? at)];
	return first < end && last >= start;
}
