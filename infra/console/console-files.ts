import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile } from '#http/page.ts';
import { pathOf } from '#shared/contract.ts';
import { bundlePage, type PageBundle } from './bundle-page.ts';

/** The difference between a deployed console and the console of one machine. */
export interface ConsoleVariant {
	/** The credentials of the demo plant, as the body of a sign-in; null without a demo. */
	readonly demo: Readonly<Record<string, string>> | null;
}

/** Bundles the operator's console. */
export function bundleConsole({ demo }: ConsoleVariant): Promise<PageBundle> {
	const folder = fileURLToPath(new URL('.', import.meta.resolve('#page/index.html')));
	return bundlePage({
		folder,
		constants: { demoCredentials: demo === null ? null : JSON.stringify(demo) },
		filesFolder: pathOf('console').slice(1),
	});
}

/**
 * Returns the files of the operator's console as JSON, by name (`staticFilesSchema`). They are bundled with the functions, and on one
 * machine when the page is first asked for (functions/console/README.md#bundling).
 */
export async function consoleFilesText(variant: ConsoleVariant): Promise<string> {
	return filesText(await bundleConsole(variant));
}

/** Returns the files of a page that is bundled, as `consoleFilesText` does. */
export function filesText({ files }: PageBundle): string {
	return JSON.stringify(Object.fromEntries([...files].map(([name, text]) => [name, fileOf(name, text)])));
}

/** The media types of the page's files. */
const typesByExtension: Readonly<Record<string, string>> = {
	'.html': 'text/html',
	'.js': 'text/javascript',
	'.css': 'text/css',
	'.txt': 'text/plain',
};

function fileOf(name: string, text: string): StaticFile {
	const type = typesByExtension[extname(name)];
	if (type === undefined) throw new Error(`The type of ${name} is not known.`);
	return staticFile(type, text);
}
