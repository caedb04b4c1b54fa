import { readAlarms } from '#page/core/alarms.ts';
import type { Schemas } from '#page/core/api.ts';
import { charts, diagrams, panel, reports, variables } from '#page/core/definitions.ts';
import type { KindVersions } from '#page/core/item-versions.ts';
import { hrefOf, hrefWithParams } from '#page/core/route.ts';
import type { CorrectionDraft } from '#page/corrections/correction-draft.ts';
import type { IconName } from '#page/parts/icon.tsx';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import type { AlarmDraft } from '#page/screens/alarms/alarm-draft.ts';
import type { DiagramDraft } from '#page/screens/diagram/diagram-draft.ts';
import type { PanelDraft } from '#page/screens/station/panel-draft.ts';
import type { ChartInput } from '#page/screens/trend/chart-draft.ts';
import type { Draft } from '#page/screens/variable-editor/draft.ts';

/** What an editor of each kind of item changes. */
export interface Drafts {
	readonly variable: Draft;
	readonly alarm: AlarmDraft;
	readonly chart: ChartInput;
	readonly diagram: DiagramDraft;
	readonly panel: PanelDraft;
	readonly correction: CorrectionDraft;
	readonly report: ReportDraft;
}

/** The kind of an item whose changes the journal holds. */
export type ItemKind = Schemas['ChangeEntry']['kind'];

/** The kinds whose entries only administrators get. */
type AccessKind = 'person' | 'machine' | 'grant' | 'session';

/** The kinds whose versions can be compared in the words of their editors, and saved again. */
export type VersionedKind = Exclude<ItemKind, AccessKind | 'entry'>;

/** The kinds whose stored items can be edited. A stored correction is only deleted. */
export type EditedKind = Exclude<VersionedKind, 'correction'>;

/** What the page needs of every kind. Its names are in `commonText().kinds`. */
interface KindOfItem {
	readonly icon: IconName;
}

/** What the page needs of a kind with versions, beside the kind's own screen. */
interface VersionedItems<Content> extends KindOfItem {
	/** Loads what compares and saves versions, from the kind's draft, requests and fields. It is part of the editor, so it is loaded only when needed. */
	readonly load: () => Promise<{ readonly versions: KindVersions<Content> }>;
	/** Reads the stored items again, after a version was restored. */
	readonly reload: () => Promise<void>;
	/** Returns where an item is shown; null for a kind that has no screen of its own. */
	readonly hrefOf: (itemId: string | number) => string | null;
}

/** The kinds with versions, each with its own drafts. */
export type VersionedKinds = { readonly [Kind in VersionedKind]: VersionedItems<Drafts[Kind]> };

/** All kinds of items, in the order of the filter of changes. */
export const itemKinds: VersionedKinds & Readonly<Record<AccessKind | 'entry', KindOfItem>> = {
	variable: {
		icon: 'i-list',
		load: () => import('#page/screens/variable-editor/variable-versions.ts'),
		reload: variables.load,
		hrefOf: (itemId) => hrefOf('variables', itemId),
	},
	alarm: {
		icon: 'i-alarm',
		load: () => import('#page/screens/alarms/alarm-versions.ts'),
		reload: async () => void (await readAlarms()),
		hrefOf: (itemId) => hrefOf('alarms', itemId),
	},
	chart: {
		icon: 'i-trend',
		load: () => import('#page/screens/trend/chart-versions.ts'),
		reload: charts.load,
		hrefOf: (itemId) => hrefWithParams('trend', { chart: String(itemId) }),
	},
	diagram: {
		icon: 'i-diagram',
		load: () => import('#page/screens/diagram/diagram-versions.ts'),
		reload: diagrams.load,
		hrefOf: (itemId) => hrefOf('diagram', itemId),
	},
	panel: {
		icon: 'i-station',
		load: () => import('#page/screens/station/panel-versions.ts'),
		reload: panel.load,
		hrefOf: () => hrefOf('station'),
	},
	correction: {
		icon: 'i-changes',
		load: () => import('#page/corrections/correction-versions.ts'),
		// Each part that shows corrections reads them when it appears.
		reload: async () => undefined,
		hrefOf: () => null,
	},
	report: {
		icon: 'i-list',
		load: () => import('#page/reports/report-versions.ts'),
		reload: reports.load,
		hrefOf: (itemId) => hrefOf('report', itemId),
	},
	entry: { icon: 'i-list' },
	person: { icon: 'i-access' },
	machine: { icon: 'i-machine' },
	grant: { icon: 'i-access' },
	session: { icon: 'i-user' },
};

/** Whether versions of the kind can be compared and saved again. */
export function isVersioned(kind: ItemKind): kind is VersionedKind {
	return 'load' in itemKinds[kind];
}
