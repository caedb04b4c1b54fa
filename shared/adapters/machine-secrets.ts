import { createHash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { clientIdLength } from '#domain/access/machine.ts';
import type { MachineSecrets } from '#domain/ports/machines.ts';

/** The start of each secret, by which programs that look for leaked secrets find it. */
const prefix = 'cdl_';
const secretBytes = 32;
/** 32 random bytes (43 characters in base64url) and a checksum of 4 bytes (6 characters). */
const secretForm = /^cdl_([\w-]{43})([\w-]{6})$/;
const idCharacters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `MachineSecrets` made of random numbers of the system (shared/domain/access/README.md#machines). */
export const machineSecrets: MachineSecrets = {
	newClientId: () => Array.from({ length: clientIdLength }, () => idCharacters[randomInt(idCharacters.length)]).join(''),
	newSecret: () => {
		const random = randomBytes(secretBytes).toString('base64url');
		return `${prefix}${random}${checksumOf(random)}`;
	},
	isWellFormed: (text) => {
		const [, random = '', checksum = ''] = secretForm.exec(text) ?? [];
		return random !== '' && checksumOf(random) === checksum;
	},
	hash: (secret) => createHash('sha256').update(secret).digest('base64url'),
};

/** CRC-32 in base64url. It detects typing errors, and protects nothing. */
function checksumOf(text: string): string {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32BE(crc32(text));
	return bytes.toString('base64url');
}
