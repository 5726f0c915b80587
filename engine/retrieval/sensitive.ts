// Files whose text is never indexed: a search returns only that they exist (Engine §2, retrieval rule 3).
// Names are compared in lower case; `*` stands for anything within the name.

/** A search returns this instead of a sensitive file's text. */
export const SENSITIVE_NOTICE = "A sensitive file exists at this path; its content is not indexed.";

interface Rule {
  names: string;
  reason: string;
  except?: string;
}

const DATA_FORMATS = "json yml yaml toml xml csv ini env txt properties conf cfg".split(" ");
const asData = (name: string) => DATA_FORMATS.map((format) => `${name}.${format}`).join(" ");

const FILE_RULES: readonly Rule[] = [
  {
    names: ".env .env.* .env-* .env_* *.env .envrc .dev.vars .dev.vars.*",
    except: ".env.example .env.sample .env.template .env.dist",
    reason: "environment files hold passwords and keys; their templates do not",
  },
  {
    names: "id_rsa* id_dsa* id_ecdsa* id_ed25519* id_*_sk",
    except: "*.pub",
    reason: "SSH private keys",
  },
  {
    names:
      "*.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.jks *.keystore *.truststore *.ppk *.der *.crt.key",
    reason: "private keys, and certificates that may come with theirs",
  },
  { names: "*.kdbx *.kdb *.keychain *.keychain-db key4.db logins.json", reason: "password safes" },
  { names: "*.asc *.gpg *.pgp", reason: "OpenPGP keys and encrypted messages" },
  { names: "*.ovpn *.mobileprovision wg?.conf wg??.conf", reason: "profiles with embedded keys" },
  {
    names:
      ".netrc _netrc .authinfo .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .npmrc .yarnrc.yml .pypirc gradle.properties " +
      ".git-credentials .dockercfg .s3cfg .boto .vault-token vault_pass .vault_pass vault_pass.txt .terraformrc rclone.conf " +
      ".databrickscfg kaggle.json clouds.yaml clouds.yml local.settings.json *.keytab",
    reason: "where well-known tools keep passwords and tokens",
  },
  {
    names: "*.tfstate *.tfstate.* *.tfvars",
    reason: "Terraform state and values, secrets in clear",
  },
  {
    names: `credentials ${asData("credentials")} *credentials*.json`,
    reason: "credentials by name",
  },
  {
    names:
      "client_secret*.json *service-account*.json *service_account*.json *serviceaccount*.json *-firebase-adminsdk-*.json",
    reason: "keys of cloud accounts",
  },
  {
    names: `${["secret", "secrets", "password", "passwords"].map(asData).join(" ")} *.secret *.secrets`,
    reason: "secrets by name",
  },
  { names: "master.key *.token auth.json", reason: "keys and tokens by name" },
  { names: "kubeconfig *.kubeconfig", reason: "keys of a cluster" },
  { names: "shadow gshadow", reason: "password hashes of a system" },
  { names: "wallet.dat *.wallet *.mnemonic", reason: "wallets" },
  { names: "*_history", reason: "shell histories hold what was typed, passwords too" },
  { names: "cookies.sqlite login?data", reason: "sessions and passwords of browsers" },
  {
    names: "appsettings.*.json",
    reason:
      "settings of one environment, with its connection strings; appsettings.json itself is shared",
  },
];

const FOLDER_RULES: readonly Rule[] = [
  { names: ".ssh .gnupg .password-store private_keys keychains", reason: "keys" },
  { names: ".aws .azure .gcloud .kube .docker", reason: "credentials of cloud tools" },
  { names: "secrets .secrets", reason: "secrets by name" },
];

// A file in a folder that is sensitive only together with it.
const PATH_RULES: readonly Rule[] = [
  { names: ".gem/credentials", reason: "the key of a RubyGems account" },
  { names: ".pip/pip.conf pip/pip.conf .m2/settings.xml", reason: "passwords of package servers" },
  {
    names: "gh/hosts.yml .huggingface/token huggingface/token .oci/config",
    reason: "tokens of well-known tools",
  },
];

const FILES = FILE_RULES.map(toMatcher);
const FOLDERS = FOLDER_RULES.map(toMatcher);
const PATHS = PATH_RULES.map(toMatcher);

/** Whether the file at a path relative to its root (with `/`) is sensitive, by its name or by a folder on the way. */
export function isSensitivePath(path: string): boolean {
  const segments = path.toLowerCase().split("/");
  const written = segments.pop() ?? "";
  if (segments.some(isSensitiveFolder)) return true;
  return [written, ...originalsOf(written)].some(
    (name) =>
      FILES.some((matches) => matches(name)) ||
      PATHS.some((matches) => matches(`${segments.at(-1) ?? ""}/${name}`)),
  );
}

const COPY_ENDINGS = ["~", ".bak", ".old", ".orig", ".save", ".swp"];

/** The original names of a backup copy: `.env~`, `.netrc.bak`, `.id_rsa.swp`. */
function originalsOf(name: string): string[] {
  const ending = COPY_ENDINGS.find((ending) => name.endsWith(ending));
  if (ending === undefined) return [];
  const original = name.slice(0, -ending.length);
  const swapped = ending === ".swp" ? [original.slice(1)] : [];
  return [original, ...swapped, ...originalsOf(original)];
}

/** Whether all files in a folder of this name are sensitive. */
export function isSensitiveFolder(name: string): boolean {
  const lower = name.toLowerCase();
  return FOLDERS.some((matches) => matches(lower));
}

function toMatcher({ names, except }: Rule): (name: string) => boolean {
  const included = toPatterns(names);
  const excluded = toPatterns(except ?? "");
  return (name) =>
    included.some((pattern) => matches(pattern, name)) &&
    !excluded.some((pattern) => matches(pattern, name));
}

/** The texts between the `*` of each name. */
function toPatterns(names: string): readonly string[][] {
  return names.split(" ").map((name) => name.split("*"));
}

// Each text is taken where it first occurs, so a name is read once; `?` stands for one character.
function matches([start = "", ...rest]: readonly string[], name: string): boolean {
  const end = rest.pop();
  if (end === undefined) return name.length === start.length && standsAt(start, name, 0);
  if (name.length < start.length + end.length || !standsAt(start, name, 0)) return false;
  const last = name.length - end.length;
  if (!standsAt(end, name, last)) return false;
  let at = start.length;
  for (const part of rest) {
    while (at + part.length <= last && !standsAt(part, name, at)) at += 1;
    at += part.length;
    if (at > last) return false;
  }
  return true;
}

function standsAt(part: string, name: string, at: number): boolean {
  for (let i = 0; i < part.length; i += 1) {
    if (part[i] !== "?" && part[i] !== name[at + i]) return false;
  }
  return true;
}
