export const problemTexts: ReadonlyMap<string, (params: Readonly<Record<string, number | string>>) => string> = new Map();
