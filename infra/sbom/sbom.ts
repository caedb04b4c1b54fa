import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Contrib, Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import * as v from 'valibot';

const root = fileURLToPath(new URL('../../', import.meta.url));

const identitySchema = v.object({ name: v.string(), version: v.string() });

const lockedSchema = v.object({ version: v.string(), license: v.string(), integrity: v.string() });

const lockSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ ...identitySchema.entries, packages: v.objectWithRest({ '': v.object({ license: v.string() }) }, v.unknown()) }),
);

/**
 * Returns the software bill of materials of a build, in the form of CycloneDX 1.6: the packages whose code is shipped, and the parts of the
 * product that have each of them. It has neither a serial number nor a time, so the same build has the same text.
 * @param parts the folders of packages (`shippedPackages`) by the name of the part
 * @param folder the folder of the product, with its package-lock.json and node_modules
 * @throws Error when package-lock.json does not have a package as it is installed
 */
export function sbomText(parts: ReadonlyMap<string, ReadonlySet<string>>, folder = root): string {
	const { name, version, packages } = v.parse(lockSchema, readFileSync(join(folder, 'package-lock.json'), 'utf8'));
	const product = new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name });
	product.licenses.add(licenceOf(packages[''].license));
	const bom = new Models.Bom({ metadata: new Models.Metadata({ component: product }) });
	bom.metadata.lifecycles.add(Enums.LifecyclePhase.Build);
	for (const [part, paths] of parts) {
		const component = new Models.Component(Enums.ComponentType.Application, part, { version, bomRef: `${name}/${part}` });
		bom.components.add(component);
		product.dependencies.add(component.bomRef);
		for (const path of paths) {
			const installed = libraryOf(folder, path, packages[path]);
			// A version that is installed in two folders is one package.
			const library = [...bom.components].find(({ purl }) => purl === installed.purl) ?? installed;
			bom.components.add(library);
			component.dependencies.add(library.bomRef);
		}
	}
	const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
	return `${serializer.serialize(bom, { sortLists: true, space: '\t' })}\n`;
}

/** Returns the component of an installed package. @param entry the entry of the package in package-lock.json */
function libraryOf(folder: string, path: string, entry: unknown): Models.Component {
	const text = readFileSync(join(folder, path, 'package.json'), 'utf8');
	const { name, version } = v.parse(v.pipe(v.string(), v.parseJson(), identitySchema), text);
	const { success, output: locked } = v.safeParse(lockedSchema, entry);
	if (!success || locked.version !== version)
		throw new Error(`package-lock.json lacks ${name} ${version}, its licence or its hash at ${path}: run npm ci.`);
	const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
	const component = new Models.Component(Enums.ComponentType.Library, name, { version, purl, bomRef: purl });
	component.licenses.add(licenceOf(locked.license));
	component.hashes.set(...Contrib.FromNodePackageJson.Utils.parsePackageIntegrity(locked.integrity));
	return component;
}

/** Returns a licence by its identifier of SPDX, or else by its name. */
function licenceOf(license: string): Models.License {
	return SPDX.isSupportedSpdxId(license) ? new Models.SpdxLicense(license) : new Models.NamedLicense(license);
}
