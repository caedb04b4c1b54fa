import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Failure } from '#page/core/api.ts';
import { useDefinitions, variables } from '#page/core/definitions.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { goTo, hrefOf } from '#page/core/route.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button } from '#page/parts/button.tsx';
import { EmptyState, NoVariables, VariablesUnread } from '#page/parts/empty-state.tsx';
import { ScreenForRole } from '#page/parts/for-role.tsx';
import { Problems } from '#page/parts/problems.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import { reportRequests } from '#page/reports/report-requests.ts';
import { shellText } from '#page/shell/texts.ts';
import { ReportEditor } from './report-editor.tsx';
import { editorText } from './texts.ts';

interface ReportEditorScreenProps {
	/** 0 is a new report. */
	readonly id: number;
}

/** The editor of the report that the address names. */
export function ReportEditorScreen({ id }: ReportEditorScreenProps) {
	useDefinitions('variables');
	return (
		<ScreenForRole title={shellText().screens.report} needs="engineer">
			<ReportPage key={id} id={id} onDone={(stored) => goTo(hrefOf('report', stored === 0 ? null : stored), { replace: true })} />
		</ScreenForRole>
	);
}

interface ReportPageProps {
	readonly id: number;
	readonly onDone: (id: number) => void;
}

/** Reads a report, and then shows its editor. */
function ReportPage({ id, onDone }: ReportPageProps) {
	const text = editorText();
	const stored = useSignal<Versioned<ReportDraft> | 'missing' | null>(id === 0 ? newReport() : null);
	const failure = useSignal<Failure | null>(null);
	const load = async (): Promise<void> => {
		failure.value = null;
		const result = await reportRequests.read(newReport(id).content);
		if (!result.ok) failure.value = result.failure;
		else stored.value = result.data ?? 'missing';
	};
	useEffect(() => {
		if (id !== 0) void load();
	}, []);

	const known = variables.rows.value;
	const isKnown = known !== undefined && (known.size > 0 || id !== 0);
	if (stored.value !== null && stored.value !== 'missing' && isKnown)
		return <ReportEditor stored={stored.value} onDone={onDone} />;
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.report}</h1>
			</div>
			{known?.size === 0 && id === 0 && <NoVariables icon="i-report" hint={text.needsVariable} />}
			{stored.value === 'missing' && (
				<EmptyState icon="i-report" title={text.missing}>
					<Button onClick={() => onDone(0)}>{text.toReports}</Button>
				</EmptyState>
			)}
			{(stored.value === null || known === undefined) && failure.value === null && <p class="muted">{commonText().reading}</p>}
			<VariablesUnread />
			{failure.value !== null && (
				<Problems
					failure={failure.value}
					fallback={text.unread}
					action={<Button onClick={() => void load()}>{commonText().again}</Button>}
				/>
			)}
		</>
	);
}

/** Returns the draft of a new report. Its days are in the time zone of the person who creates it. */
function newReport(id = 0): Versioned<ReportDraft> {
	return { content: { id, title: '', timeZone: viewZone().name, dayStart: '00:00', send: false, lines: [] }, version: null };
}
