package shell

const (
	destroysText = "destroys infrastructure"
	deletesText  = "deletes resources"
	dropsText    = "drops a database"
	publishText  = "publishes, which cannot be undone"
)

var clusterTools = []tool{
	{"kubectl oc k3s microk8s.kubectl", []verbRule{
		{"delete", "", deletesText},
		{"drain", "", "evicts everything from a node"},
		{"kubectl delete", "", deletesText},
		{"replace", "force", "deletes and creates resources again"},
		{"apply", "prune", deletesText},
		{"adm drain", "", "evicts everything from a node"},
	}},
	{"helm", []verbRule{{"uninstall|delete|del|un", "", "uninstalls a release"}}},
	{"helmfile", []verbRule{{"destroy|delete", "", destroysText}}},
	{"terraform tofu terragrunt", []verbRule{
		{"destroy|destroy-all", "", destroysText},
		{"run-all destroy", "", destroysText},
		{"apply|apply-all", "destroy auto-approve", "changes infrastructure without review"},
		{"run-all apply", "auto-approve terragrunt-non-interactive", "changes infrastructure without review"},
		{"state rm|push", "", "makes the tool forget resources"},
		{"workspace delete", "", deletesText},
		{"force-unlock", "", "breaks the lock of the state"},
	}},
	{"pulumi", []verbRule{
		{"destroy|down|dn", "", destroysText},
		{"stack rm", "", destroysText},
		{"state delete", "", "makes the tool forget resources"},
		{"up|update", "y yes skip-preview f", "changes infrastructure without review"},
	}},
	{"cdk cdktf sst", []verbRule{{"destroy|remove", "", destroysText}}},
	{"sls serverless", []verbRule{{"remove", "", destroysText}}},
	{"sam amplify copilot", []verbRule{{"** delete", "", destroysText}}},
	{"eksctl kops argocd kind k3d minikube colima lxc multipass incus hcloud doctl linode-cli openstack nova scw civo exo", []verbRule{
		{"** delete|purge|destroy|del", "", deletesText},
	}},
	{"eb", []verbRule{{"terminate", "", destroysText}}},
	{"vagrant", []verbRule{{"destroy", "", "destroys a machine"}}},
	{"virsh", []verbRule{{"undefine|vol-delete|pool-delete|vol-wipe", "", "deletes a machine or its disk"}}},
	{"VBoxManage vboxmanage", []verbRule{{"unregistervm", "delete", "deletes a machine"}, {"closemedium", "delete", "deletes a disk"}}},
	{"qm pct", []verbRule{{"destroy", "", "destroys a machine"}}},
	{"nomad", []verbRule{{"job stop|stop", "purge", deletesText}, {"** delete", "", deletesText}}},
	{"consul", []verbRule{{"kv delete", "recurse", "deletes a tree of keys"}}},
	{"vault bao", []verbRule{
		{"delete", "", "deletes a secret"}, {"kv delete|destroy|metadata", "", "deletes a secret"}, {"secrets|auth disable", "", "deletes all secrets of a mount"},
	}},
	{"etcdctl", []verbRule{{"del|rm|rmdir", "prefix from-key recursive", "deletes many keys"}}},
}

var cloudTools = []tool{
	{"gcloud az ibmcloud oci aliyun tccli bq yc", []verbRule{
		{"** delete|purge|destroy|terminate|rm", "", "deletes cloud resources"}, {"** delete-|terminate-", "", "deletes cloud resources"},
	}},
	{"gsutil", []verbRule{{"rm|rb", "", "deletes cloud storage"}, {"rsync", "d", "deletes cloud storage"}}},
	{"s3cmd", []verbRule{{"del|rm|rb|expire", "", "deletes cloud storage"}, {"sync", "delete-removed", "deletes cloud storage"}}},
	{"mc azcopy b2 s5cmd", []verbRule{{"rm|rb|remove|delete|del|delete-bucket|delete-file-version", "", "deletes cloud storage"}}},
	{"rclone", []verbRule{{"delete|purge|deletefile|rmdirs|cleanup|sync", "", "deletes files of the target"}}},
	{"gh glab hub", []verbRule{
		{"repo|project|release|secret|variable|gist|issue|run|label|cache|ssh-key|gpg-key|ruleset delete|delete-asset|remove", "", "deletes on the server"},
		{"repo archive", "", "archives a repository"},
		{"delete", "", "deletes a repository"},
	}},
	{"heroku netlify ntl firebase", []verbRule{
		{":destroy|:delete|destroy|pg:reset|:remove|:clear", "", "deletes an application or its data"},
	}},
	{"fly flyctl railway", []verbRule{{"** destroy|delete|down", "", "deletes an application"}}},
	{"vercel vc", []verbRule{{"remove|rm", "", "deletes a deployment"}, {"project|domains|env|secrets|blob rm|remove|delete|del", "", "deletes a deployment"}}},
	{"wrangler", []verbRule{{"** delete|:delete", "", "deletes a deployment"}}},
	{"supabase", []verbRule{{"db reset", "", dropsText}, {"** delete", "", "deletes a project"}}},
	{"pscale neonctl neon turso", []verbRule{{"** delete|destroy", "", dropsText}}},
}

var containerTools = []tool{
	{"docker podman nerdctl", []verbRule{
		{"system prune|reset", "", "removes containers, images and volumes"},
		{"volume rm|remove|prune", "", "removes volumes with their data"},
		{"container prune", "", "removes containers"},
		{"image prune", "a all", "removes images"},
		{"rm|remove", "f force v volumes", "removes containers with their data"},
		{"container rm|remove", "f force v volumes", "removes containers with their data"},
		{"rmi", "f force", "removes images"},
		{"image rm", "f force", "removes images"},
		{"pod rm", "f force a all", "removes containers with their data"},
		{"compose down", "v volumes rmi", "removes volumes with their data"},
		{"compose rm", "v", "removes volumes with their data"},
		{"stack|service|secret|config rm|remove|down", "", deletesText},
		{"swarm leave", "f force", "dissolves the swarm"},
		{"machine rm|reset", "", "removes the machine of the containers"},
		{"context rm", "f force", deletesText},
	}},
	{"docker-compose podman-compose", []verbRule{
		{"down", "v volumes rmi", "removes volumes with their data"}, {"rm", "v", "removes volumes with their data"},
	}},
	{"crictl ctr", []verbRule{{"rmi", "a all prune", "removes images"}, {"rm|rmp", "f force a all", "removes containers"}}},
}

var databaseTools = []tool{
	{"prisma", []verbRule{{"migrate reset", "", dropsText}, {"db push", "force-reset accept-data-loss", dropsText}}},
	{"yarn pnpm bun npm", []verbRule{
		{"prisma migrate reset", "", dropsText},
		{"prisma db push", "force-reset accept-data-loss", dropsText},
		{"sequelize|sequelize-cli|typeorm|knex db:drop|schema:drop|migrate:rollback", "", dropsText},
		{"lerna|changeset publish", "", publishText},
	}},
	{"rails rake bin/rails spring", []verbRule{
		{"** db:drop|db:reset|db:migrate:reset|db:schema:load|db:structure:load|db:purge|db:truncate_all|db:drop:all|db:drop:_unsafe|db:seed:replant", "", dropsText},
	}},
	{"artisan sail", []verbRule{{"** migrate:fresh|migrate:refresh|migrate:reset|db:wipe", "", dropsText}}},
	{"php", []verbRule{
		{"artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe", "", dropsText},
		{"./artisan migrate:fresh|migrate:refresh|migrate:reset|db:wipe", "", dropsText},
		{"bin/console doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d", "", dropsText},
	}},
	{"console", []verbRule{{"doctrine:database:drop|doctrine:schema:drop|d:d:d|d:s:d", "", dropsText}}},
	{"python pypy uv", []verbRule{
		{"manage.py|./manage.py flush|reset_db|reset_schema", "", dropsText},
		{"alembic downgrade base", "", dropsText},
		{"setup.py upload", "", publishText},
		{"twine upload", "", publishText},
	}},
	{"manage.py django-admin", []verbRule{{"flush|reset_db|reset_schema", "", dropsText}}},
	{"sequelize sequelize-cli knex typeorm mikro-orm drizzle-kit", []verbRule{
		{"db:drop|db:migrate:undo:all|schema:drop|schema:fresh|migration:fresh|drop", "", dropsText}, {"migrate:rollback", "all", dropsText},
	}},
	{"mix", []verbRule{{"ecto.drop|ecto.reset", "", dropsText}, {"ecto.rollback", "all", dropsText}, {"hex.publish|hex.retire", "", publishText}}},
	{"dropdb dropuser", []verbRule{{"", "", dropsText}}},
	{"mysqladmin mariadb-admin", []verbRule{{"drop", "", dropsText}, {"** drop", "", dropsText}}},
	{"alembic", []verbRule{{"downgrade base", "", dropsText}}},
	{"flyway", []verbRule{{"clean", "", dropsText}}},
	{"liquibase", []verbRule{{"drop-all|dropAll", "", dropsText}}},
	{"dbmate migrate", []verbRule{{"drop", "", dropsText}}},
	{"goose", []verbRule{{"** reset|down-to", "", dropsText}}},
	{"diesel sqlx", []verbRule{{"database reset|drop", "", dropsText}}},
	{"wp", []verbRule{{"db reset|drop|clean", "", dropsText}, {"site empty|delete", "", "deletes a site"}}},
	{"drush", []verbRule{{"sql-drop|sql:drop|site:install|si", "", dropsText}}},
	{"rabbitmqctl", []verbRule{{"reset|force_reset|delete_queue|delete_vhost|purge_queue", "", "deletes messages"}}},
	{"kafka-topics.sh kafka-topics", []verbRule{{"", "delete", "deletes a topic"}}},
	{"influx", []verbRule{{"** delete", "", "deletes data"}}},
}

var publishTools = []tool{
	{"npm pnpm yarn bun lerna changeset", []verbRule{
		{"publish", "", publishText},
		{"unpublish", "", "breaks those who depend on the package"},
		{"npm publish", "", publishText},
		{"deprecate", "", publishText},
		{"dist-tag rm", "", "removes a published tag"},
		{"access|owner rm|revoke", "", "takes rights away"},
	}},
	{"cargo", []verbRule{{"publish|yank", "", publishText}}},
	{"gem", []verbRule{{"push|yank", "", publishText}}},
	{"twine", []verbRule{{"upload", "", publishText}}},
	{"poetry uv flit hatch pdm rye", []verbRule{{"publish", "", publishText}}},
	{"dotnet", []verbRule{{"nuget push|delete", "", publishText}}},
	{"nuget", []verbRule{{"push|delete", "", publishText}}},
	{"vsce ovsx jsr", []verbRule{{"publish|unpublish", "", publishText}}},
	{"dart flutter", []verbRule{{"pub publish", "", publishText}}},
	{"pub", []verbRule{{"publish", "", publishText}}},
	{"pod", []verbRule{{"trunk push|delete|deprecate", "", publishText}}},
	{"mvn mvnw", []verbRule{{"** deploy|release:perform", "", publishText}}},
	{"goreleaser", []verbRule{{"release", "", publishText}}},
	{"semantic-release", []verbRule{{"", "", publishText}}},
	{"hg", []verbRule{{"strip|purge", "", "deletes work"}, {"update|up|checkout|revert", "C clean all a", "discards changes"}}},
	{"svn", []verbRule{{"revert", "", "discards changes"}}},
	{"jj", []verbRule{{"abandon", "", "drops commits"}}},
	{"bfg git-filter-repo", []verbRule{{"", "", "rewrites history"}}},
}
