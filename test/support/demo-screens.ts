/** A screen of the demo plant. */
export interface DemoScreen {
	readonly route: string;
	/** What it shows once it has its values. */
	readonly has: string;
	/** Whether what it shows is not read again. */
	readonly isStill?: boolean;
	/** Whether it writes only after "Edit". */
	readonly edits?: boolean;
}

/** Every screen of the demo plant with values on it, and those that write. */
export const demoScreens: readonly DemoScreen[] = [
	{ route: '/overview', has: '.value' },
	{ route: '/station', has: '.word' },
	{ route: '/station/edit', has: '[data-add]' },
	{ route: '/trend?ids=13,19&range=1h', has: '.plot' },
	{ route: '/alarms/33', has: '.value' },
	{ route: '/alarms/33-edit', has: 'input' },
	{ route: '/variables', has: '.value' },
	{ route: '/variables/23', has: '.value', isStill: true },
	{ route: '/variables/add', has: '.add-series .value', isStill: true },
	{ route: '/diagram', has: '.value', edits: true },
	{ route: '/report/46-edit', has: '[data-add]' },
	{ route: '/report/46', has: '.report-table tbody [data-cell]' },
	{ route: '/changes', has: '.change-table tr[tabindex]' },
	{ route: '/access/machines', has: 'tr[tabindex]' },
];
