import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type StaticFile, staticFile } from '#http/page.ts';
import { pathOf } from '#shared/contract.ts';

/** The folder of the package whose files the page at GET /docs has. */
export const docsPackage = 'node_modules/swagger-ui-dist';

/**
 * Returns the files of the page at GET /docs as JSON, by name (`staticFilesSchema`). Swagger UI's own files come from its package. They
 * are read when functions are bundled, and on one machine when the page is first asked for.
 */
export function docsFilesText(): string {
	const files: Readonly<Record<string, StaticFile>> = {
		'index.html': staticFile('text/html', page),
		'start.js': staticFile('text/javascript', `SwaggerUIBundle(${JSON.stringify(options)});\n`),
		'index.css': staticFile('text/css', packagedFile('index.css')),
		'swagger-ui.css': staticFile('text/css', packagedFile('swagger-ui.css')),
		'swagger-ui-bundle.js': staticFile('text/javascript', packagedFile('swagger-ui-bundle.js')),
		...Object.fromEntries(licences.map((name) => [name, staticFile('text/plain', packagedFile(name))])),
	};
	return JSON.stringify(files);
}

/** Relative to the page, so that the service may be below another path. */
const documentUrl = pathOf('openapi').slice(1);
const folder = pathOf('docs').slice(1);

/** Swagger UI's options (https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/). */
const options = {
	url: documentUrl,
	dom_id: '#api',
	deepLinking: true,
	tryItOutEnabled: true,
	displayRequestDuration: true,
	// A token is forgotten with the page, no other server checks the document, and no link can show another document.
	persistAuthorization: false,
	validatorUrl: null,
	queryConfigEnabled: false,
} as const;

const page = `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<title>Caudal API</title>
		<link rel="icon" href="data:,">
		<link rel="stylesheet" href="${folder}/index.css">
		<link rel="stylesheet" href="${folder}/swagger-ui.css">
	</head>
	<body>
		<div id="api"></div>
		<noscript>This page needs JavaScript. It shows <a href="${documentUrl}">the OpenAPI document</a>.</noscript>
		<script src="${folder}/swagger-ui-bundle.js"></script>
		<script src="${folder}/start.js"></script>
	</body>
</html>
`;

/** The licences of Swagger UI and of what is in its bundle. They go with every copy. */
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'] as const;

/** Reads a file of the package without the comment that names its source map, which is not served. */
function packagedFile(name: string): string {
	const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));
	return readFileSync(file, 'utf8').replace(/\n?(?:\/\/|\/\*)# sourceMappingURL=.*\s*$/, '\n');
}
