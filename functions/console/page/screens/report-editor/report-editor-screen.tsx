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
import { lazyScreen } from '#page/shell/lazy-screen.tsx';
import { shellText } from '#page/shell/texts.ts';
import { editorText } from './texts.ts';

const ReportEditor = lazyScreen(async () => (await import('./report-editor.tsx')).ReportEditor);

/** The id of a report that is not stored. */
const noReport = 0;

interface ReportEditorScreenProps {
	/** 0 for a new report. */
	readonly id: number;
}

/** The editor of the report that the address names. */
export function ReportEditorScreen({ id }: ReportEditorScreenProps) {
	useDefinitions('variables');
	return (
		<ScreenForRole title={shellText().screens.report} needs="engineer">
			<ReportPage
				key={id}
				id={id}
				onDone={(stored) => goTo(hrefOf('report', stored === noReport ? null : stored), { replace: true })}
			/>
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
	/** The report; null until it was read. */
	const stored = useSignal<Versioned<ReportDraft> | 'missing' | null>(id === noReport ? newReport() : null);
	const failure = useSignal<Failure | null>(null);
	const load = async (): Promise<void> => {
		failure.value = null;
		// To read, only the id of the draft is needed.
		const result = await reportRequests.read(newReport(id).content);
		if (!result.ok) failure.value = result.failure;
		else stored.value = result.data ?? 'missing';
	};
	useEffect(() => {
		if (id !== noReport) void load();
	}, []);

	const variablesById = variables.rows.value;
	// A new report needs a variable. A stored one is opened even when all variables have been deleted.
	const canBeEdited = variablesById !== undefined && (variablesById.size > 0 || id !== noReport);
	if (stored.value !== null && stored.value !== 'missing' && canBeEdited)
		return <ReportEditor stored={stored.value} onDone={onDone} />;
	return (
		<>
			<div class="head">
				<h1>{shellText().screens.report}</h1>
			</div>
			{variablesById?.size === 0 && id === noReport && <NoVariables icon="i-report" hint={text.needsVariable} />}
			{stored.value === 'missing' && (
				<EmptyState icon="i-report" title={text.missing}>
					<Button onClick={() => onDone(noReport)}>{text.toReports}</Button>
				</EmptyState>
			)}
			{(stored.value === null || variablesById === undefined) && failure.value === null && (
				<p class="muted">{commonText().reading}</p>
			)}
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

/** Returns the draft of a new report; with an `id`, that of a report that is not read yet. Its days are in the time zone of the view. */
function newReport(id = noReport): Versioned<ReportDraft> {
	return { content: { id, title: '', timeZone: viewZone().name, dayStart: '00:00', send: false, lines: [] }, version: null };
}
