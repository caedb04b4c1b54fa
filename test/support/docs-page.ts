import { type ObservedPage, openPage } from './open-page.ts';

/** Swagger UI's sections of operations of the document. Their names are the tag and the id of the operation. */
export const sections = { signIn: 'operations-Sign-in-signIn', readVariables: 'operations-Readings-readVariables' } as const;

/** The answer that the page shows. */
export interface ShownAnswer {
	/** The status, with `Undocumented` on another line where the document does not have it. */
	readonly status: string;
	readonly body: unknown;
}

/** The page at GET /docs in Chromium. */
export interface DocsPage extends ObservedPage {
	/** Opens the page anew and waits until it shows the document. */
	open(query?: string): Promise<void>;
	/** Enters a token. */
	authorize(token: string): Promise<void>;
	/** Sends the request of an operation, with its example as the body or with another one. */
	execute(section: keyof typeof sections, body?: unknown): Promise<ShownAnswer>;
}

/** Starts Chromium and opens the page of a service. */
export const openDocsPage = async (executablePath: string, baseUrl: string): Promise<DocsPage> => {
	const observed = await openPage(executablePath);
	const { page } = observed;
	const sectionOf = (name: keyof typeof sections) => page.locator(`[id="${sections[name]}"]`);

	const open = async (query = ''): Promise<void> => {
		await page.goto(`${baseUrl}/docs${query}`);
		await sectionOf('readVariables').waitFor();
	};

	const authorize = async (token: string): Promise<void> => {
		await page.locator('button.authorize').first().click();
		const dialog = page.locator('.auth-container', { has: page.locator('#auth-bearer-value') });
		await dialog.locator('input').fill(token);
		await dialog.locator('button.authorize').click();
		await page.locator('.auth-container button.btn-done').first().click();
	};

	const execute = async (name: keyof typeof sections, body?: unknown): Promise<ShownAnswer> => {
		const section = sectionOf(name);
		await section.locator('.opblock-summary-control').click();
		if (body !== undefined) await section.locator('textarea.body-param__text').fill(JSON.stringify(body));
		await section.locator('button.execute').click();
		const answer = section.locator('.live-responses-table tbody tr').first();
		const status = (await answer.locator('.response-col_status').innerText()).trim();
		return { status, body: JSON.parse(await answer.locator('.highlight-code code').first().innerText()) };
	};

	await open();
	return { ...observed, open, authorize, execute };
};
