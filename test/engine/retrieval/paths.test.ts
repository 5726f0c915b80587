import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { IgnoreRules, isGeneratedFile, isMinified } from "../../../engine/retrieval/ignored.ts";
import { isSensitivePath } from "../../../engine/retrieval/sensitive.ts";
import { anyText } from "../../support/arbitraries.ts";

describe("Sensitive paths", () => {
  const sensitive = `
    .env .env.local .env.production prod.env .envrc config/.ENV deep/down/.Env.staging
    id_rsa id_ed25519 .ssh/config .ssh/known_hosts home/.ssh/anything.txt keys/server.key server.pem CERT.PEM a.p12 a.pfx
    a.jks a.keystore a.ppk vault.kdbx mail.asc data.gpg office.ovpn cert.der
    .netrc _netrc .pgpass .my.cnf .htpasswd .npmrc .yarnrc.yml .pypirc .gem/credentials .git-credentials .dockercfg
    .docker/config.json .s3cfg .boto .vault-token .terraformrc terraform.tfstate terraform.tfstate.backup prod.tfvars
    prod.auto.tfvars .aws/credentials .aws/config credentials credentials.json credentials.csv my-credentials-2.json
    client_secret_123.json my-service-account.json app-firebase-adminsdk-x1.json secrets.yml secrets.json app.secret
    secrets/db.txt .secrets/x config/secrets/deep/file.md master.key api.token auth.json kubeconfig prod.kubeconfig
    .kube/config .gnupg/pubring.kbx .password-store/mail.gpg etc/shadow etc/gshadow wallet.dat my.wallet seed.mnemonic
    .bash_history .zsh_history .psql_history logins.json key4.db cookies.sqlite app.mobileprovision
    appsettings.Production.json private_keys/a.txt keychains/login.keychain-db .azure/x .gcloud/y .gnupg/secring
    .cargo/credentials.toml secret.yaml secret.yml secret.json .env-production .env_local .env~ .dev.vars .netrc.bak .npmrc~
    .git-credentials.bak secrets.yml.bak id_rsa~ id_ecdsa.bak id_dsa.old id_ed25519_github id_rsa_work .pip/pip.conf
    .config/pip/pip.conf .m2/settings.xml gradle.properties .mylogin.cnf pgpass.conf .config/gh/hosts.yml rclone.conf
    .authinfo .databrickscfg .kaggle/kaggle.json clouds.yaml x.keytab wg0.conf serviceAccountKey.json vault_pass.txt
    local.settings.json passwords.csv .huggingface/token .cache/huggingface/token .oci/config .id_rsa.swp .env.swp
    secrets.yml.orig.bak credentials.save .dev.vars.production
  `;
  const open = `
    .env.example .env.sample .env.template .env.dist env.ts environment.md id_rsa.pub docs/keys.md key.ts monkey.txt
    token.ts tokens.md credentials.ts credential.md secret.ts secrets.md appsettings.json auth.ts authentication.json
    history.md kube.md src/aws/client.ts ssh.md src/config settings.xml hosts.yml pip.conf token .id_rsa.pub.swp
    id_ed25519_github.pub notes.bak main.ts~ password.ts passwords.md wg.conf secret.rs gradle.properties.md environment.env.md package.json README.md .gitignore Dockerfile
  `;

  it("are known by their names and by their folders, in any case", () => {
    for (const path of sensitive.trim().split(/\s+/)) assert.ok(isSensitivePath(path), path);
    assert.ok(isSensitivePath("profile/Login Data"));
    fc.assert(
      fc.property(fc.constantFrom(...sensitive.trim().split(/\s+/)), (path) => {
        assert.ok(isSensitivePath(path.toUpperCase()) && isSensitivePath(`a/b c/${path}`));
      }),
    );
  });

  it("are not all that sounds like them", () => {
    for (const path of open.trim().split(/\s+/)) assert.ok(!isSensitivePath(path), path);
  });
});

describe("Ignored paths", () => {
  it("follow the rules of the folder, over those of the folders above, as git does", () => {
    const root = new IgnoreRules().within("", [
      { path: ".gitignore", text: "*.log\n/top.txt\ncache/\n!keep.log\n# note\n" },
    ]);
    const below = root.within("sub/", [
      { path: "sub/.gitignore", text: "!special.log\n" },
      { path: "sub/.engineignore", text: "*.tmp\n" },
    ]);
    assert.ok(root.ignores("a.log") && root.ignores("x/a.log") && root.ignores("top.txt"));
    assert.ok(!root.ignores("x/top.txt") && !root.ignores("keep.log"));
    assert.ok(root.ignores("cache/") && root.ignores("x/cache/") && !root.ignores("cache"));
    assert.ok(below.ignores("sub/a.log") && !below.ignores("sub/special.log"));
    assert.ok(below.ignores("sub/x.tmp") && !root.ignores("x.tmp"));
    assert.ok(!root.ignores("A.LOG"), "names are compared with their case");
  });

  it("take any text for rules, and any name for a path", () => {
    fc.assert(
      fc.property(
        anyText(),
        anyText({ minLength: 1 }).filter((name) => !/[/\0]/.test(name)),
        (rules, name) => {
          new IgnoreRules().within("", [{ path: "x", text: rules }]).ignores(name);
        },
      ),
    );
  });

  it("are lock files, minified files and source maps", () => {
    for (const name of ["package-lock.json", "yarn.lock", "Cargo.lock", "go.sum", "a.min.js"]) {
      assert.ok(isGeneratedFile(name), name);
    }
    for (const name of ["lock.ts", "a.js", "map.md", "minimal.css"]) {
      assert.ok(!isGeneratedFile(name), name);
    }
    assert.ok(isMinified("a.js", `${"x=1;".repeat(1000)}\n`));
    assert.ok(!isMinified("a.txt", "one long line ".repeat(1000)));
    assert.ok(!isMinified("a.js", "const a = 1;\n".repeat(500)));
  });
});
