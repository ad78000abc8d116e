import { join } from 'node:path';
import { safeStorage } from 'electron';
import { FileVault } from '../core/profiles/file-vault.ts';
import { MemoryVault, type TokenVault } from '../core/profiles/token-vault.ts';

/**
 * Tokens sealed by the system's key store. Linux without one would seal with a key that everybody knows: there they are
 * kept until the end of the program only.
 */
export function systemVault(folder: string, platform: NodeJS.Platform): TokenVault {
  if (!isSealing(platform)) return new MemoryVault();
  return new FileVault(join(folder, 'tokens.json'), {
    storage: 'keychain',
    seal: (token) => safeStorage.encryptString(token).toString('base64'),
    unseal: (sealed) => {
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'));
      } catch {
        return null; // sealed by another user, or before the key store was made anew
      }
    },
  });
}

function isSealing(platform: NodeJS.Platform): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return platform !== 'linux' || /^(gnome_libsecret|kwallet\d*)$/.test(safeStorage.getSelectedStorageBackend());
}
