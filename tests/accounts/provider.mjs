// A real provider of OpenID Connect, panva's oidc-provider, which takes any name and password: for the trial alone.
// node provider.mjs FOLDER REDIRECT: FOLDER has node_modules/oidc-provider. The first line that it writes is its issuer.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, redirect] = process.argv.slice(2);
const found = createRequire(`${folder}/`).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(found).href);

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "block-you", client_secret: "a secret of the trial, long enough", redirect_uris: [redirect] },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["preferred_username"] },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true, preferred_username: id }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ["of the trial"] },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
